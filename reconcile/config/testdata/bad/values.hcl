variable "nothing" {
  type    = string
  default = null
}
locals {
  extra = merge({ size = 1 }, { colour = "red" })
}
resource "group" "path" { path = "a b" }        # ERROR: Invalid value -- one segment
resource "group" "null" { path = var.nothing }  # ERROR: Missing required argument -- is null
resource "group" "list" { path = ["a"] }        # ERROR: Invalid value -- must be a string, not a list
resource "group" "obj" {
  path   = "a"
  limits = local.extra # ERROR: Invalid value -- "colour" is not expected here
}
resource "group" "obj2" {
  path   = "a"
  limits = { burst = 1 } # ERROR: Invalid value -- "size" is required
}
resource "group" "nulls" {
  path = "a"
  tags = ["a", null] # ERROR: Invalid value -- must not have a null element
}
resource "group" "nested" {
  path = "a"
  tags = [["a"]] # ERROR: Invalid value -- must be a set of strings
}
resource "group" "infinite" {
  path   = "a"
  limits = { size = 1 / length([]) } # ERROR: Invalid value -- the expression divides by zero
}
resource "group" "ref" {
  path   = "a"
  parent = true # ERROR: Invalid value -- must be a group (its id, its path or name, or the resource itself), not a bool
}
resource "group" "wrong" {
  path   = "a"
  parent = project.q.id # ERROR: Invalid value -- project.q is a project
}
resource "project" "p" {
  path      = "p"
  namespace = { a = 1 } # ERROR: Invalid value -- has no id
}
resource "project_hook" "h" {
  project = project.q
  url     = upper(null) # ERROR: Invalid function argument
}
resource "project" "q" {
  path      = "q"
  namespace = "acme"
}
