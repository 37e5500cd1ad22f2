# check blocks, and what stands in them.
check "empty" { # ERROR: Missing assert block -- Add one with a condition and an error_message
}
check "9x" { # ERROR: Invalid name
  assert {
    condition     = true
    error_message = "x"
  }
}
check { # ERROR: Missing block label
}
check "twice" {
  assert {
    condition     = true
    error_message = "x"
  }
}
check "twice" { # ERROR: Duplicate declaration -- main.hcl:12:1
  assert {
    condition     = true
    error_message = "x"
  }
}
check "attribute" {
  condition = true # ERROR: Unsupported argument -- data or assert
}
check "asert" {
  asert { # ERROR: Unsupported block type -- Did you mean "assert"?
    condition = true
  }
}
check "resource" {
  resource "group" "x" { # ERROR: Unsupported block type -- A resource block must be at the top level of a file, not inside another block
    path = "x"
  }
  assert {
    condition     = group.nothing.path == "x" # ERROR: Reference to undeclared object
    error_message = "x"
  }
}
check "scoped" {
  data "projects" "inner" { group = "acme" }
  assert {
    condition     = length(data.projects.inner.by_path) > 0
    error_message = "x"
  }
  assert { # ERROR: Missing required argument -- condition
    error_message = "x"
  }
  assert {
    condition     = self.path == "x" # ERROR: Invalid reference
    error_message = "x"
  }
}
output "outside" { value = data.projects.inner.by_path } # ERROR: Reference to undeclared object -- so only its assertions can refer to it
check "other" {
  assert {
    condition     = length(data.projects.inner.by_path) > 0 # ERROR: Reference to undeclared object -- data.projects.inner is inside check.scoped
    error_message = "x"
  }
}
assert { # ERROR: Unsupported block type -- An assert block must be inside a check block
  condition     = true
  error_message = "x"
}
