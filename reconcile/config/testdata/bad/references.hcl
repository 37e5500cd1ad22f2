variable "region" { default = "eu" }
locals {
  one   = 1
  whole = group        # ERROR: Invalid reference -- group.NAME.ATTRIBUTE
  none  = local        # ERROR: Invalid reference
  which = var          # ERROR: Invalid reference
  typo  = var.regoin   # ERROR: Reference to undeclared variable -- Did you mean "region"? To declare it, add variable "regoin" { … }
  lost  = local.onee   # ERROR: Reference to undeclared object -- Did you mean "local.one"?
  block = group.acm.id # ERROR: Reference to undeclared object -- Did you mean "group.acme"?
  bare  = private      # ERROR: Reference to undeclared object -- quote it: "private"
  dat   = data.projcts.p.by_path # ERROR: Unknown data source -- Did you mean "projects"?
  each  = each.key     # ERROR: Invalid reference
  ws    = terraform.workspace # ERROR: Invalid reference
}
resource "group" "acme" {
  path        = "acme"
  description = each.value                            # ERROR: Invalid reference -- for_each
  name        = count.index                           # ERROR: Invalid reference -- count
  visibility  = group.many.path                       # ERROR: Missing instance key
  tags        = [group.sub.ful_path, group.sub[0].id] # ERROR: Unsupported attribute -- Did you mean "full_path"? | Unexpected instance key
}
resource "group" "sub" { path = "sub" }
resource "group" "many" {
  for_each   = { (each.key) = 1 } # ERROR: Invalid reference
  path       = each.valeu         # ERROR: Invalid reference -- each.value
  depends_on = [group.sb]         # ERROR: Reference to undeclared object -- Did you mean "group.sub"?
}
