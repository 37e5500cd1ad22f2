# The host collects the errors of the project, without an external service.
resource "error_tracking" "api" {
  project    = project.api.id
  active     = true
  integrated = true
}
