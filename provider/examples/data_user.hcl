# The plan fails if the user does not exist.
data "user" "oncall" {
  username = "alice"
}

resource "group_member" "oncall" {
  group        = group.platform.id
  user         = data.user.oncall.id
  access_level = "maintainer"
}
