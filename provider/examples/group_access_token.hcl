resource "group_access_token" "inventory" {
  group        = group.acme.id
  name         = "inventory"
  scopes       = ["read_api"]
  access_level = "reporter"
}
