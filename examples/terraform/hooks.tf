resource "gitlab_group_hook" "audit" {
  group                   = gitlab_group.company.id
  url                     = "https://audit.acme.example/events"
  token                   = var.hook_token
  push_events             = false
  member_events           = true
  subgroup_events         = true
  enable_ssl_verification = true

  custom_headers = [
    { key = "X-Company", value = var.company },
  ]
}
