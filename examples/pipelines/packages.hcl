# A published package stays as it is. Only previews can be published again.
resource "group_package_settings" "company" {
  group = group.company.id

  nuget_duplicates_allowed          = false
  nuget_duplicate_exception_regex   = ".*-preview.*"
  generic_duplicates_allowed        = false
  generic_duplicate_exception_regex = "latest"
}

# The services build with these, so only maintainers publish them.
resource "package_protection_rule" "library" {
  project                         = project.library.id
  package_type                    = "nuget"
  package_name_pattern            = "Initrode.*"
  minimum_access_level_for_push   = "maintainer"
  minimum_access_level_for_delete = "owner"
}
