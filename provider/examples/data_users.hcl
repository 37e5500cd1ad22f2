# The plan fails if one of the users does not exist.
data "users" "oncall" {
  usernames = ["alice", "bob"]
}

resource "group_member" "oncall" {
  for_each     = data.users.oncall.by_username
  group        = group.platform.id
  user         = each.value
  access_level = "maintainer"
}
