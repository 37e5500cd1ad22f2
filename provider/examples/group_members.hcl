# Removes every member who is not listed. List the token's user too: it owns the
# groups that it creates.
resource "group_members" "platform" {
  group     = group.platform.id
  exclusive = true
  members = {
    root  = { access_level = "owner" }
    alice = { access_level = "owner" }
    bob   = { access_level = "maintainer" }
    carol = { access_level = "developer", expires_at = "2099-06-30" }
  }
}
