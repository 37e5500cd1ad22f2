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
    bob   = { acces_level = "owner" }  # ERROR: Unsupported object key -- Did you mean "access_level"?
    carl = {
      access_level = "owner"
      access_level = "owner" # ERROR: Duplicate key
      exclusive    = true    # ERROR: Unsupported object key -- Move the line out of the braces
    }
  }
}
resource "group" "g" {
  path   = "g"
  limits = { size = 1, brust = 2 } # ERROR: Unsupported object key -- Did you mean "burst"?
}
# No map is taken with one of two values.
variable "v" {
  default = { a = 1, "a" = 2 } # ERROR: Duplicate key -- main.hcl:29:15
}
locals {
  l = { a = { b = 1, b = 2 } } # ERROR: Duplicate key -- main.hcl:32:15
}
output "o" { value = [{ a = 1, a = 2 }] } # ERROR: Duplicate key
