# One thing where several are taken, and several where one is.
resource "group" "a" {
  path   = "a"
  parent = ["b"]           # ERROR: Invalid value -- must be a group (its id, its path or name, or the resource itself), not a list
  users  = "alice"         # ERROR: Invalid value -- Write it in brackets, [ … ], where each element is a user (its id, its path or name, or
}
resource "group" "b" {
  path  = "b"
  users = ["alice", true]  # ERROR: Invalid value -- element [1] must be a user (its id, its path or name, or the resource itself), not a bool
}
resource "group" "c" {
  path  = "c"
  users = ["alice", null]  # ERROR: Invalid value -- must not have a null element
}
resource "branch" "x" {
  project = 7
  name    = "x"
  users   = ["alice"]
  groups  = [group.b]
  allowed {
    user = "bob"            # ERROR: Conflicting arguments -- adds to users
  }
}
resource "branch" "y" {
  project = 7
  name    = "y"
  allowed {
    usr = "bob"             # ERROR: Unsupported argument -- Did you mean "user"?
  }
  allowd {                  # ERROR: Unsupported block type -- Did you mean "allowed"?
    user = "bob"
  }
  dynamic "alowed" {        # ERROR: Unsupported block type
    for_each = []
    content {}
  }
  dynamic "allowed" {       # ERROR: Invalid dynamic block
    for_each = []
  }
  dynamic "allowed" {
    for_each = "alice"      # ERROR: Invalid for_each argument -- for_each of a dynamic block must be a list, a set or a map, not a string
    content { user = "bob" }
  }
  dynamic "allowed" {
    for_each = []
    iterator = 7            # ERROR: Invalid value -- iterator must be a name without quotes
    content { user = "bob" }
  }
}
resource "branch" "ok" {
  project = 7
  name    = "ok"
}
resource "branch" "of" {
  project = 7
  name    = "of"
  groups  = [7, branch.ok]  # ERROR: Invalid value -- branch.ok is a branch
}
resource "link" "z" {
  project    = 7
  slug       = "z"
  properties = {
    url  = "x"
    pass = "y"              # ERROR: Invalid attribute combination -- no property of it
  }
}
