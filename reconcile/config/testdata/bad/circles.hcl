resource "group" "self" {
  path        = "self"
  description = group.self.id # ERROR: Self-reference
}
resource "group" "a" {
  path   = "a"
  parent = group.b.id
}
resource "group" "b" {
  path   = "b"
  parent = local.c
}
locals {
  c = group.a.id # ERROR: Dependency cycle -- group.a → group.b → local.c → group.a
}
