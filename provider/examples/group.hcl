# A company, with settings for all its subgroups and projects.
resource "group" "initech" {
  path        = "initech"
  name        = "Initech"
  description = "Everything that Initech builds"
  visibility  = "internal"

  require_two_factor_authentication = true
  two_factor_grace_period           = 72
  project_creation_level            = "maintainer"
}

# A team, with less visibility and stricter merge settings.
resource "group" "payments" {
  path       = "payments"
  parent     = group.initech.id
  visibility = "private"

  request_access_enabled                   = false
  prevent_sharing_groups_outside_hierarchy = true
  only_allow_merge_if_pipeline_succeeds    = true
}
