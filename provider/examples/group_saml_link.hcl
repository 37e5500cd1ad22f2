resource "group_saml_link" "staff" {
  group           = group.acme.id
  saml_group_name = "All staff"
  access_level    = "reporter"
}
