# Imports: of what is declared, one address each, by ids that are known.
variable "secret" {
  default   = "s3cret"
  sensitive = true
}
import {
  to = group.lost # ERROR: Undeclared reference -- Declare resource "group" "lost"
  id = 1
}
import {
  to = module.team # ERROR: Invalid address -- is a module
  id = 1
}
import { # ERROR: Missing required argument -- "to"
  id = 1
}
import { # ERROR: Missing required argument -- "id"
  to = group.one
}
import {
  to = group.two
  id = 1
}
import { # ERROR: Duplicate declaration -- group.two is imported from is already told at main.hcl:
  to = group.two
  id = 2
}
import {
  for_each = { a = 1 }
  to       = group.many[each.kye] # ERROR: Invalid reference -- each.key
  id       = 1
}
import {
  to = group.many # ERROR: Missing instance key -- group.many[KEY]
  id = 1
}
import {
  to = group.one["a"] # ERROR: Unexpected instance key
  id = 1
}
import {
  for_each = { a = 1 }
  to       = group.many # ERROR: Invalid import -- group.many[each.key]
  id       = each.value
}
import {
  to = group.many[each.key] # ERROR: Invalid address -- takes the address of a resource
  id = 1
}
import {
  to = data.projects.p # ERROR: Invalid address -- is none
  id = 1
}
import {
  to = gruop.one # ERROR: Unknown kind -- Did you mean "group"?
  id = 1
}
import {
  to = group.one
  id = group.new.id # ERROR: Not known in time -- only after something else is done
}
import {
  to = group.one
  id = var.secret # ERROR: Unsuitable secret -- cannot come from a secret
}
import {
  to = group.one
  id = ["1"] # ERROR: Invalid value -- takes a text or a number
}
import {
  to = group.one
  id = null # ERROR: Invalid value
}
import {
  to = group.one
  id = "/" # ERROR: Invalid value -- names nothing
}
import {
  for_each = { a = 1 }
  to       = module.team[each.key].group.lost # ERROR: Undeclared reference -- there is no such module
  id       = each.value
}
import {
  for_each = { a = 1 }
  to       = upper(each.key).one # ERROR: Invalid address -- takes the address of a resource
  id       = each.value
}
import {
  to       = group.one
  id       = 1
  provider = aws # ERROR: Unsupported argument -- no provider meta-argument
}
import {
  for_each = toset([var.secret]) # ERROR: Secret keys
  to       = group.many[each.key]
  id       = 1
}
import {
  for_each = { a = 1 }
  to       = group.many[var.secret] # ERROR: Unsuitable secret -- The key of to
  id       = each.value
}
import {
  for_each = { (group.new.id) = 1 } # ERROR: Not known in time -- keys that are known from the start
  to       = group.many[each.key]
  id       = each.value
}
resource "group" "two" { path = "two" }
resource "group" "one" { path = "one" }
resource "group" "new" { path = "new" }
resource "group" "many" {
  for_each = toset(["a"])
  path     = each.key
}
