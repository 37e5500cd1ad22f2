locals {
  both = merge({ Bob = { access_level = 30 } }, { bob = { access_level = 30 } })
}
resource "group_members" "m" {
  group = "acme"
  members = {
    "" = { access_level = "owner" } # ERROR: Invalid value -- a key of members must not be empty
    alice = { access_level = "boss" } # ERROR: Invalid value -- use owner, maintainer
    bob   = {}                        # ERROR: Invalid value -- access_level is required
    carl  = "owner"                   # ERROR: Invalid value -- { access_level = … }
    dora  = { access_level = 30, expires_at = [] } # ERROR: Invalid value -- must be a string, not a list
    erin  = merge({ access_level = 30 }, { level = 2 }) # ERROR: Invalid value -- "level" is not expected
  }
}
resource "group_members" "fold" {
  group   = "acme"
  members = local.both # ERROR: Duplicate key -- "Bob"
}
resource "group_members" "list" {
  group   = "acme"
  members = ["alice"] # ERROR: Invalid value -- members of group_members.list must be a map
}
