# Makes every member of the platform group a reporter of another group.
data "members" "platform" {
  group = group.platform.id
}

resource "group" "guests" {
  path = "guests"
}

resource "group_member" "guests" {
  for_each     = { for name, id in data.members.platform.by_username : name => id if name != "root" }
  group        = group.guests.id
  user         = each.value
  access_level = "reporter"
}

resource "group_member" "alice" {
  group        = group.platform.id
  user         = "alice"
  access_level = "maintainer"
}
