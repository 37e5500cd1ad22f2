# What has become of things. Such blocks do nothing on a host that never had the thing, so they stay until everybody has
# applied them.

# The module had another name. Nothing on the host changes with that.
moved {
  from = module.base
  to   = module.baseline
}

# Legal keep their group themselves from now on: hew lets go of it and leaves it as it is.
removed {
  from = group.legal

  lifecycle {
    destroy = false
  }
}

# The data team was dissolved. That many deletions at once stop a plan, unless somebody says that they are meant.
removed {
  from = module.team["data"]

  lifecycle {
    allow = ["mass-delete"]
  }
}

# Projects that were there before hew was. Under the path that is declared a project would be found without any help; an
# import is for what has another path so far, and is renamed by the apply that takes it over.
variable "before_hew" {
  type        = map(string)
  default     = {}
  description = "The full paths, or ids, of projects that are to be taken over, by the path that they shall have."
}

import {
  for_each = var.before_hew
  to       = project.before_hew[each.key]
  id       = each.value
}

resource "project" "before_hew" {
  for_each  = var.before_hew
  path      = each.key
  namespace = group.company.id

  lifecycle {
    postcondition {
      condition     = !self.archived
      error_message = "${self.path_with_namespace} is archived: take it back into use, or leave it where it was."
    }
  }
}
