# All of them have to be there: a name that nobody has is an error of the plan.
data "users" "oncall" {
  usernames = ["alice", "bob"]
}

resource "group_member" "oncall" {
  for_each     = data.users.oncall.by_username
  group        = group.platform.id
  user         = each.value
  access_level = "maintainer"
}
