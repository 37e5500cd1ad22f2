# References to blocks and modules that have several instances, or have not.
resource "group" "one" { path = "one" }
resource "group" "each" {
  for_each = toset(["api", "web"])
  path     = each.key
}
resource "group" "counted" {
  count = "2"
  path  = "g${count.index}"
}
resource "group" "numbers" {
  for_each = toset([1, 2]) # ERROR: Invalid for_each argument -- a set of numbers
  path     = "x"
}
resource "group" "negative" {
  count = -1 # ERROR: Invalid count argument -- from 0
  path  = "x"
}
resource "group" "listed" {
  count = ["a"] # ERROR: Invalid count argument -- count must be a number, not a list
  path  = "x"
}
resource "group" "waits" {
  path = "x"
  depends_on = [
    group.one,
    group.each["ap"],  # ERROR: Unknown instance key -- Did you mean "api"?
    group.counted[2],  # ERROR: Unknown instance key -- It has 0, 1
  ]
  lifecycle {
    replace_triggered_by = [group.each["db"], group.each[local.x].path] # ERROR: Unknown instance key -- It has "api", "web" | Unknown instance key -- ["x"]
  }
}
resource "group" "wrongly" {
  path = "x"
  depends_on = [
    group.one[0],      # ERROR: Unexpected instance key
    local.x,           # ERROR: Invalid reference -- depends_on must list blocks and modules, such as [group.acme, module.team]
    var.y,             # ERROR: Invalid reference
    "group.one",       # ERROR: Invalid reference
    group.wrongly,     # ERROR: Self-reference
    group.one.pth,     # ERROR: Unsupported attribute
  ]
}
locals { x = "x" }
locals { list = [1, 2] }
output "splat" { value = group.each[*].path }          # ERROR: Invalid splat expression -- values(group.each)[*]
output "list" { value = group.counted[*].path }
output "number" { value = group.each[0].path }         # ERROR: Invalid index -- It has "api", "web"
output "key" { value = group.each["ap"].path }         # ERROR: Invalid index -- Did you mean "api"?
output "worked_out" { value = group.each[local.x].path } # ERROR: Invalid index -- The key is "x". It has "api", "web"
output "worked_far" { value = group.counted[local.list[1]].path } # ERROR: Invalid index -- The key is "2"
output "worked_list" { value = local.list[local.list[1]] } # ERROR: Invalid index -- The key is "2"
output "worked_null" { value = { a = 1 }[null] } # ERROR: Invalid index
resource "group" "by_each" {
  for_each = { ap = "db" }
  path     = group.each[each.value].path # ERROR: Invalid index -- The key is "db", where each.key is "ap". It has "api", "web"
}
output "far" { value = group.counted[7].path }         # ERROR: Invalid index
output "in_for" { value = [for g in group.each : g.pth] } # ERROR: Unsupported attribute
output "deeper" { value = group.one.path.x }           # ERROR: Unsupported attribute
output "text" { value = group.one["pth"] }             # ERROR: Unexpected instance key
resource "project" "whole" {
  path      = "p"
  namespace = group.each # ERROR: Invalid value -- no id
}
# Whether a block has keys is not known where for_each or count is misspelt.
resource "group" "slip" {
  for_eech    = toset(["a"]) # ERROR: Unsupported argument -- Did you mean "for_each"?
  path        = each.key
  description = group.slip_of["a"].path
}
resource "group" "slip_of" {
  coumt = 2 # ERROR: Unsupported argument -- Did you mean "count"?
  path  = "g${count.index}"
}
output "slip" { value = group.slip["a"].path }
resource "group" "true_key" {
  path   = group.each[true].path # ERROR: Invalid index
  parent = group.one[null].id    # ERROR: Unexpected instance key
}
variable "untyped" {
  default = "[\"a\", \"b\"]"
}
resource "group" "untyped" {
  count = 2
  path  = var.untyped[count.index] # ERROR: Invalid index -- var.untyped is a string: values of -var and of the environment are strings unless the variable block sets a type
}
