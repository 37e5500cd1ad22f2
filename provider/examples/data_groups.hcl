# The same hook for every team, including teams that this configuration creates.
data "groups" "teams" {
  parent = group.acme.id
}

resource "group_hook" "teams" {
  for_each = data.groups.teams.by_path
  group    = each.value
  url      = "https://teams.example.com/${each.key}"
}
