resource "group" "auditors" {
  path = "auditors"
}

# Everybody who audits reads everything, until the audit is over.
resource "group_share" "audit" {
  group        = group.acme.id
  share_group  = group.auditors.id
  group_access = "reporter"
  expires_at   = "2099-12-31"
}
