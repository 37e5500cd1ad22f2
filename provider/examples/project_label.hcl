# A label of the project, in addition to those of its groups.
resource "project_label" "flaky" {
  project  = project.api.id
  name     = "flaky test"
  color    = "#f90"
  priority = 1
}
