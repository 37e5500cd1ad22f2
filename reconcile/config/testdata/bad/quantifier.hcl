# H04: what begins an expression in a text is written twice.
resource "group" "g" {
  path        = "g"
  description = "^v${1,3}" # ERROR: Extra characters after interpolation expression -- $${
}
