resource "group" "company" {
  path       = var.company.path
  name       = var.company.name
  visibility = var.company.visibility

  # Unlike production's this may go, and come back: the host only marks it at first, and keeps its path for it.
  lifecycle {
    allow = ["restore"]
  }
}
