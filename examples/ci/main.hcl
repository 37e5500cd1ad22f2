resource "group" "platform" {
  path       = "platform"
  visibility = "private"
}

resource "project" "api" {
  namespace   = group.platform.id
  path        = "api"
  description = "What everybody calls"
}

resource "project_hook" "ci" {
  project     = project.api.id
  url         = "https://ci.example.com/hook"
  token       = var.hook_token
  push_events = true
}
