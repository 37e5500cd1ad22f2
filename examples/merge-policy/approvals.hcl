# Security looks at whatever goes into a protected branch, in every project below the company.
resource "group_approval_rule" "security" {
  group              = group.company.id
  name               = "Security"
  approvals_required = 1
  groups             = [group.reviewers["security"].id]
}

# Beside that, whoever knows the project.
resource "project_approval_rule" "maintainers" {
  for_each   = local.reviewed
  depends_on = [project_share.reviewers, group_members.reviewers] # nor does anybody approve who is not there yet

  project            = project.all[each.key].id
  name               = "Maintainers"
  approvals_required = each.value.approvals
  groups             = [group.reviewers["maintainers"].id]
  protected_branches = [protected_branch.main[each.key].id, protected_branch.hotfix[each.key].id]
}

resource "project_approval_rule" "anybody" {
  for_each = local.reviewed

  project            = project.all[each.key].id
  name               = "All members"
  rule_type          = "any_approver"
  approvals_required = 1
}

# Rules that somebody adds in the settings of a project are asked of everybody, and nobody knows why: they go.
exclusive "project_approval_rule" "all" {
  for_each = project.all
  of       = each.value.id
}

# Without these, whoever is asked for approval can give it himself.
resource "project_approval_settings" "all" {
  for_each = local.reviewed
  project  = project.all[each.key].id

  merge_requests_author_approval                 = false
  merge_requests_disable_committers_approval     = true
  disable_overriding_approvers_per_merge_request = true
  reset_approvals_on_push                        = each.value.approvals > 1
}
