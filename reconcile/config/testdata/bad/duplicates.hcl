# H02: said twice is an error that names both places; neither wins.
resource "group" "acme" { path = "a" }
resource "group" "acme" { path = "b" } # ERROR: Duplicate declaration -- main.hcl:2
variable "v" { default = 1 }
variable "v" { default = 1 } # ERROR: Duplicate declaration
locals { x = 1 }
locals { x = 2 } # ERROR: Duplicate declaration
output "o" { value = 1 }
output "o" { value = 1 } # ERROR: Duplicate declaration
hew {
  guards { max_deletes = 1 }
  guards { max_deletes = 100 } # ERROR: Duplicate declaration -- main.hcl:11
}
hew {} # ERROR: Duplicate declaration
resource "group" "two" {
  path = "c"
  lifecycle { prevent_destroy = true }
  lifecycle { prevent_destroy = false } # ERROR: Duplicate declaration -- main.hcl:17
}
removed {
  from = group.gone
  lifecycle { destroy = false }
  lifecycle { destroy = true } # ERROR: Duplicate declaration -- main.hcl:22
}
