resource "group" "acme" { path = "a" }
resource "group" "acme" { path = "b" } # ERROR: Duplicate declaration -- main.hcl:1
variable "v" { default = 1 }
variable "v" { default = 1 } # ERROR: Duplicate declaration
locals { x = 1 }
locals { x = 2 } # ERROR: Duplicate declaration
output "o" { value = 1 }
output "o" { value = 1 } # ERROR: Duplicate declaration
hew {}
hew {} # ERROR: Duplicate declaration
