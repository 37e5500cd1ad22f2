data "application_settings" "now" {}

# Projects are no more visible than the instance makes them by default.
resource "project" "tool" {
  path       = "tool"
  namespace  = group.acme.id
  visibility = data.application_settings.now.default_project_visibility
}
