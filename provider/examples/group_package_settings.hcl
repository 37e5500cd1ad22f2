# Nobody can replace a published package, apart from pre-releases and development builds.
resource "group_package_settings" "acme" {
  group = group.acme.id

  nuget_duplicates_allowed          = false
  nuget_duplicate_exception_regex   = ".*-preview.*"
  generic_duplicates_allowed        = false
  generic_duplicate_exception_regex = "nightly|.*-dev"
}
