hew {
  guards {
    max_deletes = 3
  }
}

resource "group" "platform" {
  path       = "platform"
  visibility = "private"
}

resource "project" "service" {
  namespace  = group.platform.id
  path       = "service"
  visibility = "private"
}
