resource "group_member" "alice" {
  group        = group.platform.id
  user         = "alice"
  access_level = "maintainer"
}

# A contractor, whose access expires.
resource "group_member" "carol" {
  group        = "acme/platform"
  user         = "carol"
  access_level = "developer"
  expires_at   = "2099-06-30"
}

# Invites somebody without an account, who becomes a member by accepting.
resource "group_member" "dave" {
  group        = group.platform.id
  email        = "dave@partner.example.com"
  access_level = "guest"
}
