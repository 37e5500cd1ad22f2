# One thing where several are taken, and several where one is.
resource "group" "a" {
  path   = "a"
  parent = ["b"]           # ERROR: Invalid value -- takes a group: its id, its path or name, or the resource itself, and this is a list
  users  = "alice"         # ERROR: Invalid value -- takes a list, and this is a text. Write it in brackets
}
resource "group" "b" {
  path  = "b"
  users = ["alice", true]  # ERROR: Invalid value -- element [1] takes a user
}
resource "group" "c" {
  path  = "c"
  users = ["alice", null]  # ERROR: Invalid value -- has an element that is null
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
    for_each = "alice"      # ERROR: Invalid value -- takes a list, a set or a map, and this is a string
    content { user = "bob" }
  }
  dynamic "allowed" {
    for_each = []
    iterator = 7            # ERROR: Invalid value -- iterator takes a name
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
  groups  = [7, branch.ok]  # ERROR: Invalid value -- and branch.ok is a branch
}
resource "link" "z" {
  project    = 7
  slug       = "z"
  properties = {
    url  = "x"
    pass = "y"              # ERROR: Invalid combination -- no property of it
  }
}
