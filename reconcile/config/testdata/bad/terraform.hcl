# What people bring along from Terraform, and what it is here.
resource "group" "x" {
  path = "x"
  provisioner "local-exec" { # ERROR: Unsupported block type -- hew does not support provisioner blocks
    command = "x"
  }
  connection {} # ERROR: Unsupported block type -- hew does not support connection blocks
  timeouts {}   # ERROR: Unsupported block type -- hew does not support timeouts blocks
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
resource "gitlab_grop" "z" { path = "z" } # ERROR: Unknown resource kind -- Did you mean "gitlab_group"
ephemeral "x" "y" {} # ERROR: Unsupported block type -- hew has no ephemeral resources
resources "x" "y" {} # ERROR: Unsupported block type -- Did you mean "resource"?
local { x = 1 }      # ERROR: Unsupported block type -- Did you mean "locals"?
modul "x" {}         # ERROR: Unsupported block type -- Did you mean "module"?
outputs "y" {}       # ERROR: Unsupported block type -- Did you mean "output"?
vars {}              # ERROR: Unsupported block type -- resource, data, exclusive, variable, locals, output, hew, provider, moved, removed,
provider "x" {       # ERROR: Extraneous block label -- provider { … }
  alias = "y"
}
output "has space" { value = 1 } # ERROR: Invalid name -- "has space" is not a valid name for an output
output "e" {
  value     = 1
  ephemeral = true # ERROR: Unsupported argument -- hew has no ephemeral resources
}
import {
  to = module.gone.group.x # ERROR: Reference to undeclared object -- Declare the module, or correct the address
  id = 1
}
