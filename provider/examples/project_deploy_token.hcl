# A cluster clones the project with this token. The jobs that configure the cluster get it in the
# same apply; neither the ledger nor plans contain it.
resource "project_deploy_token" "cluster" {
  project    = project.api.id
  name       = "cluster"
  scopes     = ["read_repository", "read_registry"]
  expires_at = "2099-12-31"
}

resource "project_variable" "cluster_token" {
  project = project.api.id
  key     = "CLUSTER_TOKEN"
  value   = project_deploy_token.cluster.token
  masked  = true
}

resource "project_variable" "cluster_user" {
  project = project.api.id
  key     = "CLUSTER_USER"
  value   = project_deploy_token.cluster.username
}
