# What a lifecycle block cannot say.
variable "flag" {
  default   = true
  sensitive = true
}
resource "group" "g" {
  path = "g"
  lifecycle {
    create_before_destroy = group.other.id == 1  # ERROR: Invalid reference -- so it can use only variables and functions, not group.other.id
    prevent_destroy       = [true]                # ERROR: Invalid value -- prevent_destroy must be a bool, not a list
    prevent_destory       = true                  # ERROR: Unsupported argument -- Did you mean "prevent_destroy"?
    ignore_changes        = [descripton, "all", limits.size[0].x, 7, each.key] # ERROR: Unsupported attribute -- Did you mean "description"? | Invalid ignore_changes path -- limits of group has no element | Invalid ignore_changes path | Unsupported attribute -- "all" | Unsupported attribute -- "each"
    allow                 = ["everything"]        # ERROR: Unknown guard -- adopted-delete, approvals-lowered, last-owner, mass-delete, prevent-destroy, public,
    replace_triggered_by = [
      group.g,                 # ERROR: Self-reference -- group.g cannot trigger its own replacement
      group.nothing,           # ERROR: Reference to undeclared object
      group.other.pth,         # ERROR: Unsupported attribute -- Did you mean "path"?
      group.many.path,         # ERROR: Missing instance key
      group.other["a"],        # ERROR: Unexpected instance key
      data.projects.p,         # ERROR: Invalid replace_triggered_by expression -- replace_triggered_by must list resources and their attributes, such as [group.acme,
      var.flag,                # ERROR: Invalid replace_triggered_by expression -- To use another value, store it in an attribute of a resource
      local.x,                 # ERROR: Invalid replace_triggered_by expression
      "group.other",           # ERROR: Invalid replace_triggered_by expression
      group.many[each.key].id, # ERROR: Invalid reference -- for_each
      group,                   # ERROR: Invalid reference
    ]
    precondition { # ERROR: Missing required argument -- error_message
      condition = true
    }
    precondition {
      condition     = "perhaps" # ERROR: Invalid condition result -- The condition must be true or false
      error_message = "x"
    }
    precondition {
      condition     = null # ERROR: Invalid condition result
      error_message = "x"
    }
    precondition {
      condition     = self.path == "g" # ERROR: Invalid reference -- self is available only in postconditions
      error_message = "x"
    }
    precondition {
      condition     = group.othr.path == "x" # ERROR: Reference to undeclared object -- Did you mean "group.other"?
      error_message = "x"
    }
    precondition {
      condition     = true
      error_message = " " # ERROR: Invalid value -- Say what is wrong when the condition fails
    }
    precondition {
      condition     = true
      error_message = null # ERROR: Invalid value -- Say what is wrong when the condition fails
    }
    precondition {
      condition     = 1 > 2 # ERROR: Precondition failed -- group.g: One is not more than two.
      error_message = "One is not more than two."
    }
    postcondition {
      condition     = self.pth == "g" # ERROR: Unsupported attribute -- Did you mean "path"?
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
    ignore_changes = [members["bob"].acces_level] # ERROR: Unsupported attribute -- Did you mean "access_level"?
  }
}
resource "group" "list" {
  path = "l"
  lifecycle {
    ignore_changes       = "path" # ERROR: Invalid expression
    replace_triggered_by = group.g # ERROR: Invalid expression
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
    precondition { # ERROR: Unsupported argument -- so its lifecycle supports only allow
      condition     = true
      error_message = "x"
    }
  }
}
