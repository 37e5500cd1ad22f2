resource "project_member" "developers" {
  for_each     = toset(["alice", "bob"])
  project      = project.api.id
  user         = each.key
  access_level = "developer"
}

# Requires an approval from one of two API experts, and two approvals in total.
resource "project_approval_rule" "api" {
  project            = project.api.id
  name               = "API"
  approvals_required = 1
  users              = [for m in project_member.developers : m.user]
}

resource "project_approval_rule" "all" {
  project            = project.api.id
  name               = "All members"
  rule_type          = "any_approver"
  approvals_required = 2
}
