# Beside those of its groups, a project has labels of its own.
resource "project_label" "flaky" {
  project  = project.api.id
  name     = "flaky test"
  color    = "#f90"
  priority = 1
}
