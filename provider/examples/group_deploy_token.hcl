# Reads every repository of the group and its subgroups.
resource "group_deploy_token" "backup" {
  group    = group.acme.id
  name     = "backup"
  scopes   = ["read_repository"]
  username = "backup"
}
