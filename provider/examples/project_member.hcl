# A member of one project, for a limited time.
resource "project_member" "bob" {
  project      = project.api.id
  user         = "bob"
  access_level = "developer"
  expires_at   = "2099-06-30"
}
