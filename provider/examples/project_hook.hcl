resource "project_hook" "ci" {
  project = project.api.id
  name    = "build farm"
  url     = "https://ci.example.com/hooks/{queue}"
  token   = var.hook_token

  push_events               = true
  push_events_branch_filter = "main"
  merge_requests_events     = true

  url_variables = { queue = var.hook_token }
}

# Removes undeclared hooks.
exclusive "project_hook" "api" {
  of = project.api.id
}
