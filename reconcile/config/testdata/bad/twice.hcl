resource "group" "acme" {
  path = "a"
  path = "b" # ERROR: Attribute redefined
}
