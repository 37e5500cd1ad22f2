# Two members of the platform's group approve whatever goes into a protected
# branch of a project below acme.
resource "group_approval_rule" "platform" {
  group              = group.acme.id
  name               = "Platform"
  approvals_required = 2
  groups             = [group.platform.id]
}
