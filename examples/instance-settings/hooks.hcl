# Tells the auditors' collector what happens to groups, projects, members, users and keys.
resource "system_hook" "audit" {
  name = "Audit"
  url  = "https://audit.${var.company}.example/instance"

  repository_update_events = false
}
