variable "hook_token" {
  type      = string
  sensitive = true
}

resource "group_members" "acme" {
  group     = "acme"
  exclusive = true
  members = {
    alice = { access_level = "owner" }
  }
}

data "projects" "all" {
  group     = "acme"
  recursive = true
}

resource "project" "all" {
  for_each  = data.projects.all.by_path
  namespace = dirname(each.key)
  path      = basename(each.key)

  only_allow_merge_if_pipeline_succeeds = true
}

resource "project_hook" "ci" {
  for_each    = data.projects.all.by_path
  project     = each.value
  url         = "https://ci.example.com/hook"
  push_events = true
  token       = var.hook_token
}

exclusive "project_hook" "all" {
  for_each = data.projects.all.by_path
  of       = each.value
}

resource "protected_branch" "main" {
  project            = "acme/api"
  name               = "main"
  push_access_level  = "no_access"
  merge_access_level = "maintainer"
}
