# What is wrong in expressions themselves.
variable "name" { default = "acme" }
locals {
  list       = ["a", "b"]
  map        = { a = 1 }
  text       = "a" + 1                       # ERROR: Invalid operand
  index      = local.list[5]                 # ERROR: Invalid index
  key        = local.map["b"]                # ERROR: Invalid index
  attr       = local.map.b                   # ERROR: Unsupported attribute
  on_text    = var.name.first                # ERROR: Unsupported attribute
  on_list    = local.list.first              # ERROR: Unsupported attribute
  each_in    = "in ${local.list}"            # ERROR: Invalid template interpolation value
  condition  = var.name ? 1 : 2              # ERROR: Incorrect condition type
  null_if    = null ? 1 : 2                  # ERROR: Null condition
  types      = true ? { a = 1 } : [1]        # ERROR: Inconsistent conditional result types
  twice      = { for x in ["a", "a"] : x => 1 } # ERROR: Duplicate object key
  no_list    = [for x in 5 : x]              # ERROR: Iteration over non-iterable value
  of_null    = [for x in null : x]           # ERROR: Iteration over null value
  null_key   = { (null) = 1 }                # ERROR: Null value as key
  few        = upper()                       # ERROR: Not enough function arguments
  many       = upper("a", "b")               # ERROR: Too many function arguments
  type       = upper(["a"])                  # ERROR: Invalid function argument
  spread     = max("a"...)                   # ERROR: Invalid expanding argument value
  lookup     = lookup({ a = 1 }, "b")        # ERROR: Invalid function argument
  element    = element([], 0)                # ERROR: Error in function call
  regex      = regex("(", "a")               # ERROR: Invalid function argument
  json       = jsondecode("{")               # ERROR: Invalid function argument
  yaml       = yamldecode("a: [")            # ERROR: Invalid function argument
  number     = tonumber("x")                 # ERROR: Invalid function argument
  template   = templatefile("none.tftpl", {}) # ERROR: Error in function call
  misspelt   = lenght([])                    # ERROR: Call to unknown function -- Did you mean "length"?
  unheard_of = frobnicate(1)                 # ERROR: Call to unknown function -- There is no function named "frobnicate"
  splat      = var.name[*].id                # ERROR: Unsupported attribute
  division   = 1 / 0                         # ERROR: Division by zero
  not        = !"perhaps"                    # ERROR: Invalid operand
  path       = path.modul                    # ERROR: Unsupported attribute
  locals     = locals.list                   # ERROR: Invalid reference -- Write local.NAME
  variable   = variable.name                 # ERROR: Invalid reference -- Write var.NAME
  self       = self.path                     # ERROR: Invalid reference -- postcondition
  index_of   = count.index                   # ERROR: Invalid reference
  workspace  = terraform.workspace           # ERROR: Invalid reference -- no workspaces
  provider   = provider.token                # ERROR: Invalid reference
  resource   = resource.group.acme.id        # ERROR: Invalid reference -- Write KIND.NAME.ATTRIBUTE, such as group.acme.id
  data       = data                          # ERROR: Invalid reference -- data.KIND.NAME
  kind       = data.projects                 # ERROR: Invalid reference
  output     = output.x                      # ERROR: Invalid reference -- The calling module can use outputs as module.NAME.OUTPUT
  check      = check.x                       # ERROR: Invalid reference
  tf_kind    = gitlab_group.acme.id          # ERROR: Reference to undeclared object -- is not declared
  each       = each                          # ERROR: Invalid reference
}
