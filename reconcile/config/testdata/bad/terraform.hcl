# What people bring along from Terraform, and what it is here.
resource "group" "x" {
  path = "x"
  provisioner "local-exec" { # ERROR: Unsupported block type -- hew runs no programs
    command = "x"
  }
  connection {} # ERROR: Unsupported block type -- hew logs in to no machine
  timeouts {}   # ERROR: Unsupported block type -- waits as long as the host works
  lifecycle {
    ignore_changes = all
    ignore_change  = ["x"] # ERROR: Unsupported argument -- Did you mean "ignore_changes"?
    precondition   = true  # ERROR: Unsupported argument -- is a block, not an argument
  }
  provider  = gitlab.x  # ERROR: Unsupported argument -- one host
  dependson = [group.y] # ERROR: Unsupported argument -- Did you mean "depends_on"?
  foreach   = {}        # ERROR: Unsupported argument -- Did you mean "for_each"?
  cuont     = 1         # ERROR: Unsupported argument -- Did you mean "count"?
  dynamic "tags" {      # ERROR: Unsupported block type -- no nested blocks
    for_each = []
    content {}
  }
}
resource "group" "y" { path = "y" }
resource "gitlab_grop" "z" { path = "z" } # ERROR: Unknown kind -- Did you mean "gitlab_group"
ephemeral "x" "y" {} # ERROR: Unsupported block type -- no ephemeral objects
resources "x" "y" {} # ERROR: Unsupported block type -- Did you mean "resource"?
local { x = 1 }      # ERROR: Unsupported block type -- Did you mean "locals"?
modul "x" {}         # ERROR: Unsupported block type -- Did you mean "module"?
outputs "y" {}       # ERROR: Unsupported block type -- Did you mean "output"?
vars {}              # ERROR: Unsupported block type -- It takes resource, data
provider "x" {       # ERROR: Extraneous block label -- provider { … }
  alias = "y"
}
output "has space" { value = 1 } # ERROR: Invalid name -- the name of an output
output "e" {
  value     = 1
  ephemeral = true # ERROR: Unsupported argument -- no ephemeral objects
}
import {
  to = module.gone.group.x # ERROR: Undeclared reference -- no such module
  id = 1
}
