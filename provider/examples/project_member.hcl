# Somebody who helps with one project, for a while.
resource "project_member" "bob" {
  project      = project.api.id
  user         = "bob"
  access_level = "developer"
  expires_at   = "2099-06-30"
}
