# The company and its teams. Paths are what people type and link to, so they are written out; names follow from them
# where none is given.

resource "group" "acme" {
  path        = "acme"
  name        = "Acme"
  description = "Everything that Acme builds"
  visibility  = "internal"

  lifecycle {
    prevent_destroy = true # everything else lives in it
  }
}

resource "group" "platform" {
  path        = "platform"
  parent      = group.acme.id
  description = "The services and what they run on"
  visibility  = "private"
}

resource "group" "design" {
  path        = "design"
  parent      = group.acme.id
  description = "How it looks and reads"
  visibility  = "internal"
}
