# The same push rules for every existing and future project of the group.
data "projects" "acme" {
  group     = group.acme.id
  recursive = true
}

resource "project_push_rule" "all" {
  for_each = data.projects.acme.by_path
  project  = each.value

  branch_name_regex = "^(main|(feature|hotfix)/.+)$"
  deny_delete_tag   = true
  prevent_secrets   = true
}
