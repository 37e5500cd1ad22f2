resource "group" "g" {
  path        = "g"
  description = "Fixes \d+" # ERROR: Invalid escape sequence -- \\d
}
