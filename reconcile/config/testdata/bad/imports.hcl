# Imports: of what is declared, one address each, by ids that are known.
variable "secret" {
  default   = "s3cret"
  sensitive = true
}
import {
  to = group.lost # ERROR: Reference to undeclared object -- Add resource "group" "lost" { … } with the desired configuration
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
import { # ERROR: Duplicate declaration -- group.two is already imported at main.hcl:20:1
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
  to = group.many[each.key] # ERROR: Invalid address -- to must be the address of a resource, such as group.acme or project_hook.ci["acme/api"]
  id = 1
}
import {
  to = data.projects.p # ERROR: Invalid address -- to must be the address of a resource, such as group.acme, not data.projects.p
  id = 1
}
import {
  to = gruop.one # ERROR: Unknown resource kind -- Did you mean "group"?
  id = 1
}
import {
  to = group.one
  id = group.new.id # ERROR: Value not known until apply -- Use a value that is known during planning
}
import {
  to = group.one
  id = var.secret # ERROR: Sensitive value not allowed -- so it must not be sensitive
}
import {
  to = group.one
  id = ["1"] # ERROR: Invalid value -- id must be a string or a number
}
import {
  to = group.one
  id = null # ERROR: Invalid value
}
import {
  to = group.one
  id = "/" # ERROR: Invalid value -- Write a number, a path, or OWNER:KEY for an object without a path
}
import {
  for_each = { a = 1 }
  to       = module.team[each.key].group.lost # ERROR: Reference to undeclared object -- its module is not declared
  id       = each.value
}
import {
  for_each = { a = 1 }
  to       = upper(each.key).one # ERROR: Invalid address -- to must be the address of a resource, such as group.acme or project_hook.ci["acme/api"]
  id       = each.value
}
import {
  to       = group.one
  id       = 1
  provider = aws # ERROR: Unsupported argument -- no provider meta-argument
}
import {
  for_each = toset([var.secret]) # ERROR: Sensitive value not allowed
  to       = group.many[each.key]
  id       = 1
}
import {
  for_each = { a = 1 }
  to       = group.many[var.secret] # ERROR: Sensitive value not allowed -- A key in to is shown in plans
  id       = each.value
}
import {
  for_each = { (group.new.id) = 1 } # ERROR: Value not known until apply -- Use keys that are known during planning
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
