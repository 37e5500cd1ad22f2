# Variables for the jobs of all projects in the group.
resource "group_variable" "registry" {
  for_each = {
    REGISTRY      = "registry.example.com"
    REGISTRY_USER = "deploy"
  }
  group = group.acme.id
  key   = each.key
  value = each.value
}
