# A key for the deployment machine, with read access.
resource "deploy_key" "production" {
  project = project.api.id
  title   = "production"
  key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILzzIIEZjIqcTrN+Og9DISiejcqKql/btK3SEuixEzFd deploy@production.example.com"
}
