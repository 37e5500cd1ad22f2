# Records what happens to groups, projects, members, users and keys of the whole instance.
resource "system_hook" "audit" {
  name  = "Audit"
  url   = "https://audit.example.com/instance"
  token = var.hook_token

  repository_update_events = false
}
