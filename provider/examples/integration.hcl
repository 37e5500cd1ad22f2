resource "integration" "jira" {
  project = project.api.id
  slug    = "jira"

  commit_events = false
  properties = {
    url          = "https://jira.example.com"
    username     = "bot"
    password     = var.service_secret
    project_keys = ["API", "OPS"]
  }
}

resource "integration" "chat" {
  project = project.api.id
  slug    = "slack"

  push_events = false
  properties = {
    webhook                      = "https://hooks.slack.com/services/${var.service_secret}"
    channel                      = "#api"
    pipeline_channel             = "#builds"
    notify_only_broken_pipelines = true
    branches_to_be_notified      = "protected"
  }
}
