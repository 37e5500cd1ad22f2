# The password in the url is never shown. A new password replaces the mirror.
resource "push_mirror" "backup" {
  project = project.api.id
  url     = "https://bot:${urlencode(var.hook_token)}@backup.example.com/acme/api.git"
  enabled = true

  only_protected_branches = true
}

resource "push_mirror" "partner" {
  project             = project.api.id
  url                 = "ssh://git@partner.example.com/acme/api.git"
  auth_method         = "ssh_public_key"
  enabled             = true
  mirror_branch_regex = "^release/"
}
