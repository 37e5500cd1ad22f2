# A milestone that is done is closed, not removed.
resource "project_milestone" "first" {
  project  = project.api.id
  title    = "1.0"
  due_date = "2030-01-31"
  state    = "closed"
}
