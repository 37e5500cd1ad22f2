# The same hook for every team, those included that this configuration is about
# to create.
data "groups" "teams" {
  parent = group.acme.id
}

resource "group_hook" "teams" {
  for_each = data.groups.teams.by_path
  group    = each.value
  url      = "https://teams.example.com/${each.key}"
}
