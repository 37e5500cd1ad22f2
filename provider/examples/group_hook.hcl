# Told of everything that is made or deleted below the group, and of who joins.
resource "group_hook" "inventory" {
  group = group.acme.id
  url   = "https://inventory.example.com/events"
  token = var.hook_token

  push_events     = false
  subgroup_events = true
  project_events  = true
  member_events   = true
}
