resource "group" "partners" {
  path = "partners"
}

resource "project_share" "partners" {
  project      = project.api.id
  share_group  = group.partners.id
  group_access = "developer"
}

# Removes undeclared shares.
exclusive "project_share" "api" {
  of = project.api.id
}
