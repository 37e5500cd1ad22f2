resource "group_member" "alice" {
  group        = group.platform.id
  user         = "alice"
  access_level = "maintainer"
}

# A contractor, whose access ends by itself.
resource "group_member" "carol" {
  group        = "acme/platform"
  user         = "carol"
  access_level = "developer"
  expires_at   = "2099-06-30"
}

# Somebody without an account is invited, and is a member once that is accepted.
resource "group_member" "dave" {
  group        = group.platform.id
  email        = "dave@partner.example.com"
  access_level = "guest"
}
