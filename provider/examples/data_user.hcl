# A name that nobody has is an error of the plan.
data "user" "oncall" {
  username = "alice"
}

resource "group_member" "oncall" {
  group        = group.platform.id
  user         = data.user.oncall.id
  access_level = "maintainer"
}
