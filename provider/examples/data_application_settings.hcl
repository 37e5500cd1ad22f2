data "application_settings" "now" {}

# The default visibility of the instance, set explicitly.
resource "project" "tool" {
  path       = "tool"
  namespace  = group.acme.id
  visibility = data.application_settings.now.default_project_visibility
}
