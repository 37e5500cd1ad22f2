resource "gitlab_integration_slack" "handbook" {
  project                      = gitlab_project.handbook.id
  webhook                      = "https://hooks.slack.com/services/T0/B0/x"
  username                     = "handbook"
  push_events                  = true
  merge_requests_events        = true
  notify_only_broken_pipelines = true
}

resource "gitlab_integration_jira" "handbook" {
  project      = gitlab_project.handbook.id
  url          = "https://jira.acme.example"
  username     = "bot"
  password     = var.hook_token
  project_keys = ["DOC"]
}

resource "gitlab_group_saml_link" "staff" {
  group           = gitlab_group.company.id
  access_level    = "developer"
  saml_group_name = "staff"
}
