# Receives new and deleted subgroups and projects, and changes of members.
resource "group_hook" "inventory" {
  group = group.acme.id
  url   = "https://inventory.example.com/events"
  token = var.hook_token

  push_events     = false
  subgroup_events = true
  project_events  = true
  member_events   = true
}
