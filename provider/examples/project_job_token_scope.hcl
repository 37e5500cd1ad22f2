# The jobs of the website and of all projects in the group "platform" may download packages of the
# project. The jobs of other projects may not.
resource "project" "website" {
  path      = "website"
  namespace = group.acme.id
}

resource "project_job_token_scope" "api" {
  project  = project.api.id
  projects = [project.website.id]
  groups   = [group.platform.id]
}
