# All active projects of the group and its subgroups, including projects that
# this configuration creates.
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
