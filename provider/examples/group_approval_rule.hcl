# Requires two approvals from the platform group for protected branches of all
# projects in acme.
resource "group_approval_rule" "platform" {
  group              = group.acme.id
  name               = "Platform"
  approvals_required = 2
  groups             = [group.platform.id]
}
