hew {
  required_version = group.acme.name # ERROR: Unsuitable reference -- group.acme
}
resource "group" "acme" { path = "acme" }
