resource "protected_tag" "versions" {
  project             = project.api.id
  name                = "v*"
  create_access_level = "maintainer"
  create_groups       = [group.platform.id]
}
