# H04: a backslash of a regular expression is written twice.
resource "group" "g" {
  path        = "g"
  description = "Fixes \d+" # ERROR: Invalid escape sequence -- \\d
}
