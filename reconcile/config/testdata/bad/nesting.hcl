# H11: what stands one level too deep.
resource "group" "g" {
  path = "g"
  resource "project" "p" { # ERROR: Unsupported block type -- A resource block must be at the top level of a file, not inside another block
  }
  limits { # ERROR: Unsupported block type -- Write limits = …
    size = 1
  }
  lifecycle {
    path            = "g"       # ERROR: Unsupported argument
    ignore_changes  = [pth]     # ERROR: Unsupported attribute -- Did you mean "path"?
    prevent_destroy = "perhaps" # ERROR: Invalid value
    allow           = "public"  # ERROR: Invalid value
  }
  for_each = {}
  count    = 1 # ERROR: Conflicting arguments
}
resource "group_members" "m" {
  group   = "g"
  members = {}
  lifecycle {
    ignore_changes = [members, access_level] # ERROR: Invalid ignore_changes path -- Name one element
  }
}
hew {
  ledger "postgre" { # ERROR: Unknown ledger backend -- Did you mean "postgres"?
  }
  guards {
    max_delete = 3 # ERROR: Unsupported argument -- Did you mean "max_deletes"?
  }
}
