# H11: what stands one level too deep.
resource "group" "g" {
  path = "g"
  resource "project" "p" { # ERROR: Unsupported block type -- stands at the top of a file
  }
  limits { # ERROR: Unsupported block type -- write limits = …
    size = 1
  }
  lifecycle {
    path            = "g"       # ERROR: Unsupported argument
    ignore_changes  = [pth]     # ERROR: Unknown attribute -- Did you mean "path"?
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
    ignore_changes = [members, access_level] # ERROR: Invalid path -- Name one element
  }
}
hew {
  ledger "postgre" { # ERROR: Unknown ledger -- Did you mean "postgres"?
  }
  guards {
    max_delete = 3 # ERROR: Unsupported argument -- Did you mean "max_deletes"?
  }
}
