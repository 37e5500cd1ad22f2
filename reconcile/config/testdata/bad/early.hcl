hew { # ERROR: Unsuitable reference -- group.acme
  required_version = group.acme.name
}
resource "group" "acme" { path = "acme" }
