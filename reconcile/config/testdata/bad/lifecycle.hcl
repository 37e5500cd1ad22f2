# What a lifecycle block cannot say.
variable "flag" {
  default   = true
  sensitive = true
}
resource "group" "g" {
  path = "g"
  lifecycle {
    create_before_destroy = group.other.id == 1  # ERROR: Unsuitable reference -- it may use variables and functions
    prevent_destroy       = [true]                # ERROR: Invalid value -- prevent_destroy takes true or false, and this is a list
    prevent_destory       = true                  # ERROR: Unsupported argument -- Did you mean "prevent_destroy"?
    ignore_changes        = [descripton, "all", limits.size[0].x, 7, each.key] # ERROR: Unknown attribute -- Did you mean "description"? | Invalid path -- within limits of group | Invalid path | Unknown attribute -- "all" | Unknown attribute -- "each"
    allow                 = ["everything"]        # ERROR: Unknown guard -- The codes are
    replace_triggered_by = [
      group.g,                 # ERROR: Self reference -- because of itself
      group.nothing,           # ERROR: Undeclared reference
      group.other.pth,         # ERROR: Unknown attribute -- Did you mean "path"?
      group.many.path,         # ERROR: Missing instance key
      group.other["a"],        # ERROR: Unexpected instance key
      data.projects.p,         # ERROR: Invalid trigger -- lists resources and their attributes
      var.flag,                # ERROR: Invalid trigger -- put it into an attribute
      local.x,                 # ERROR: Invalid trigger
      "group.other",           # ERROR: Invalid trigger
      group.many[each.key].id, # ERROR: Invalid reference -- for_each
      group,                   # ERROR: Reference to a whole kind
    ]
    precondition { # ERROR: Missing required argument -- error_message
      condition = true
    }
    precondition {
      condition     = "perhaps" # ERROR: Invalid condition -- neither
      error_message = "x"
    }
    precondition {
      condition     = null # ERROR: Invalid condition
      error_message = "x"
    }
    precondition {
      condition     = self.path == "g" # ERROR: Invalid reference -- self is the object that a postcondition speaks of
      error_message = "x"
    }
    precondition {
      condition     = group.othr.path == "x" # ERROR: Undeclared reference -- Did you mean "group.other"?
      error_message = "x"
    }
    precondition {
      condition     = true
      error_message = " " # ERROR: Invalid value -- say what is wrong
    }
    precondition {
      condition     = true
      error_message = null # ERROR: Invalid value -- say what is wrong
    }
    precondition {
      condition     = 1 > 2 # ERROR: Precondition failed -- group.g: One is not more than two.
      error_message = "One is not more than two."
    }
    postcondition {
      condition     = self.pth == "g" # ERROR: Unknown attribute -- Did you mean "path"?
      error_message = "x"
    }
    postcondition {
      condition = self.path == "g"
      error_mesage = "x" # ERROR: Unsupported argument -- Did you mean "error_message"?
    }
    postcondition {
      condition     = self.path == "h" # ERROR: Postcondition failed -- group.g: The path is h.
      error_message = "The path is h."
    }
  }
}
resource "group" "other" { path = "other" }
resource "group" "many" {
  for_each = toset(["a"])
  path     = each.key
}
data "projects" "p" { group = "acme" }
locals { x = 1 }
resource "group_members" "m" {
  group   = "g"
  members = {}
  lifecycle {
    ignore_changes = [members["bob"].acces_level] # ERROR: Unknown attribute -- Did you mean "access_level"?
  }
}
resource "group" "list" {
  path = "l"
  lifecycle {
    ignore_changes       = "path" # ERROR: Invalid list
    replace_triggered_by = group.g # ERROR: Invalid list
  }
}
data "projects" "q" {
  group = "acme"
  lifecycle {
    ignore_changes = all # ERROR: Unsupported argument -- precondition and postcondition
  }
}
exclusive "project_hook" "all" {
  of = 1
  lifecycle {
    precondition { # ERROR: Unsupported argument -- nothing but allow
      condition     = true
      error_message = "x"
    }
  }
}
