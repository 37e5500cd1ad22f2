# H03: keys that hold a slash or a dot are quoted. D11: keys that differ by case
# alone are one.
locals {
  slash = { acme/app = "x" }  # ERROR: Unquoted key -- "acme/app"
  dot   = { john.doe = 1 }    # ERROR: Unquoted key -- "john.doe"
  twice = {
    a = 1
  }
}
resource "group_members" "m" {
  group = "acme"
  members = {
    Alice = { access_level = "owner" }
    alice = { access_level = "owner" } # ERROR: Duplicate key -- "Alice"
    bob   = { acces_level = "owner" }  # ERROR: Unknown key -- Did you mean "access_level"?
    carl = {
      access_level = "owner"
      access_level = "owner" # ERROR: Duplicate key
      exclusive    = true    # ERROR: Unknown key -- move the line out of the braces
    }
  }
}
resource "group" "g" {
  path   = "g"
  limits = { size = 1, brust = 2 } # ERROR: Unknown key -- Did you mean "burst"?
}
