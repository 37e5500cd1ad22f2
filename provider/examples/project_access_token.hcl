# A token for deployments, and a hook that receives it in the same apply. Neither
# the ledger nor plans contain it.
resource "project_access_token" "deploy" {
  project      = project.api.id
  name         = "deploy"
  scopes       = ["read_repository", "read_registry"]
  access_level = "reporter"
  expires_at   = formatdate("YYYY-MM-DD", timeadd(plantimestamp(), "2160h"))

  lifecycle {
    ignore_changes = [expires_at] # otherwise the token would be replaced every day
  }
}

resource "project_hook" "deploy" {
  project = project.api.id
  url     = "https://deploy.example.com/tokens"
  token   = project_access_token.deploy.token
}
