variable "secret" {
  sensitive = true
  default   = "s3cret"
}
resource "group" "list" {
  for_each = ["a"] # ERROR: Invalid for_each argument -- toset
  path     = "a"
}
resource "group" "secret" {
  for_each = toset([var.secret]) # ERROR: Sensitive value not allowed
  path     = "a"
}
resource "group" "null" {
  for_each = null # ERROR: Invalid for_each argument
  path     = "a"
}
resource "group" "part" {
  count = 1.5 # ERROR: Invalid count argument
  path  = "a"
}
resource "group" "text" {
  count = "many" # ERROR: Invalid count argument
  path  = "a"
}
resource "group_members" "secret" {
  group   = "acme"
  members = sensitive({ alice = { access_level = 30 } }) # ERROR: Sensitive value not allowed
}
resource "group" "once" {
  for_each = toset(["a b", "c d", "e f"])
  path     = each.key # ERROR: Invalid value -- a b | Invalid value -- c d | Invalid value -- e f
}
resource "group" "depends_on_broken" {
  path = group.once["a b"].path
}
