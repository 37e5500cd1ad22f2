# check blocks, and what stands in them.
check "empty" { # ERROR: Empty check -- asserts nothing
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
  condition = true # ERROR: Unsupported argument -- It takes data or assert
}
check "asert" {
  asert { # ERROR: Unsupported block type -- Did you mean "assert"?
    condition = true
  }
}
check "resource" {
  resource "group" "x" { # ERROR: Unsupported block type -- stands at the top of a file
    path = "x"
  }
  assert {
    condition     = group.nothing.path == "x" # ERROR: Undeclared reference
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
output "outside" { value = data.projects.inner.by_path } # ERROR: Undeclared reference -- only its assertions see it
check "other" {
  assert {
    condition     = length(data.projects.inner.by_path) > 0 # ERROR: Undeclared reference -- stands in check.scoped
    error_message = "x"
  }
}
assert { # ERROR: Unsupported block type -- An assert block stands in a check block
  condition     = true
  error_message = "x"
}
