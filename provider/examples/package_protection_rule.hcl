# Only maintainers publish the packages that everybody installs, and only owners delete them.
resource "package_protection_rule" "core" {
  project                         = project.api.id
  package_type                    = "nuget"
  package_name_pattern            = "Acme.*"
  minimum_access_level_for_push   = "maintainer"
  minimum_access_level_for_delete = "owner"
}
