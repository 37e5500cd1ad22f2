# Everybody may give a project any topic. These have a title and say what they mean, and are what the catalogue is made of.

locals {
  topics = {
    infrastructure = "What everything else runs on."
    library        = "Made to be used by other projects."
    service        = "It runs all the time, and somebody is called when it does not."
  }
}

resource "topic" "all" {
  for_each = local.topics

  name        = each.key
  title       = title(each.key)
  description = each.value
}
