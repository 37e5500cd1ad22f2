# What new projects begin with.
resource "group_push_rule" "company" {
  group = group.company.id

  prevent_secrets         = true
  member_check            = true
  max_file_size           = 20
  author_email_regex      = "@(umbrella|contractors)\\.example$"
  commit_message_regex    = "^(Merge|Revert|[A-Z])"
  commit_committer_check  = true
  reject_unsigned_commits = false
}

# Projects keep what they have begun with, so the rule is stated for each as well: for those that are made by hand, too.
data "projects" "company" {
  group = group.company.id
}

resource "project_push_rule" "all" {
  for_each = data.projects.company.by_path
  project  = each.value

  prevent_secrets        = true
  deny_delete_tag        = true
  max_file_size          = 20
  branch_name_regex      = "^(main|release/[0-9.]+|(feature|fix)/.+)$"
  file_name_regex        = "\\.(exe|jar|pem|p12)$"
  reject_non_dco_commits = try(local.policy[basename(each.key)].sign_off, false)
}
