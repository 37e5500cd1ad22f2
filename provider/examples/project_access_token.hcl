# The deployment's own token, and the hook that hands it on in the same apply. It
# is in no file: not in the ledger, and not in a plan.
resource "project_access_token" "deploy" {
  project      = project.api.id
  name         = "deploy"
  scopes       = ["read_repository", "read_registry"]
  access_level = "reporter"
  expires_at   = formatdate("YYYY-MM-DD", timeadd(plantimestamp(), "2160h"))

  lifecycle {
    ignore_changes = [expires_at] # or every day would be a new token
  }
}

resource "project_hook" "deploy" {
  project = project.api.id
  url     = "https://deploy.example.com/tokens"
  token   = project_access_token.deploy.token
}
