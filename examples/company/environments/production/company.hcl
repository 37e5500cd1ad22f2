resource "group" "company" {
  path       = var.company.path
  name       = var.company.name
  visibility = var.company.visibility

  lifecycle {
    prevent_destroy = true # everything else is in it
  }
}
