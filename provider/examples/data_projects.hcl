# All active projects of the group and of its subgroups, those included that
# this configuration is about to create.
data "projects" "acme" {
  group     = group.acme.id
  recursive = true
  archived  = false
}

resource "project_hook" "audit" {
  for_each    = data.projects.acme.by_path
  project     = each.value
  url         = "https://audit.example.com/${each.key}"
  push_events = true
}
