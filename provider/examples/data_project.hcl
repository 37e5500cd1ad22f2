# A project that this configuration does not manage.
data "project" "api" {
  path = project.api.path_with_namespace
}

output "clone" {
  value = data.project.api.http_url_to_repo
}
