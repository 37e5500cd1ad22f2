resource "gitlab_branch_protection" "main" {
  for_each = module.service

  project            = each.value.id
  branch             = "main"
  push_access_level  = "no one"
  merge_access_level = "developer"

  allowed_to_push {
    user_id = data.gitlab_user.person["alice"].id
  }
}

resource "gitlab_project_level_mr_approvals" "this" {
  for_each = module.service

  project                                        = each.value.id
  merge_requests_author_approval                 = false
  disable_overriding_approvers_per_merge_request = true
}

resource "gitlab_project_approval_rule" "owners" {
  for_each = module.service

  project              = each.value.id
  name                 = "Owners"
  approvals_required   = 1
  user_ids             = [data.gitlab_user.person["alice"].id]
  protected_branch_ids = [gitlab_branch_protection.main[each.key].branch_protection_id]
}
