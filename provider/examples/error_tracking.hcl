# The host collects the errors of the project itself.
resource "error_tracking" "api" {
  project    = project.api.id
  active     = true
  integrated = true
}
