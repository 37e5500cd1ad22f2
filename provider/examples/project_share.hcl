resource "group" "partners" {
  path = "partners"
}

resource "project_share" "partners" {
  project      = project.api.id
  share_group  = group.partners.id
  group_access = "developer"
}

# Nobody else: a share that nobody declares is taken back.
exclusive "project_share" "api" {
  of = project.api.id
}
