hew {
  required_version = group.acme.name # ERROR: Invalid reference -- group.acme
}
resource "group" "acme" { path = "acme" }
