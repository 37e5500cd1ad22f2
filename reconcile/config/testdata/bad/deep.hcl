# H09, H11: a block that is not known, or known and one level too deep or too
# shallow, is an error where it stands; none is passed on as a setting.
resource "group" "g" {
  path = "g"
  moved { # ERROR: Unsupported block type -- A moved block must be at the top level of a file, not inside another block
    from = group.a
    to   = group.b
  }
  exclusive "project_hook" "x" { # ERROR: Unsupported block type -- An exclusive block must be at the top level of a file, not inside another block
    of = 1
  }
  provider { # ERROR: Unsupported block type -- A provider block must be at the top level of a file, not inside another block
  }
  guards { # ERROR: Unsupported block type
  }
  group "inner" { # ERROR: Unsupported block type
  }
  branchs { # ERROR: Unsupported block type
  }
  lifecycl { # ERROR: Unsupported block type -- Did you mean "lifecycle"?
  }
  lifecycle {
    lifecycle { # ERROR: Unsupported block type
    }
    resource "group" "x" { # ERROR: Unsupported block type
    }
  }
  limits = {
    size  = 1
    limits = { size = 1 } # ERROR: Unsupported object key
    lifecycle = {} # ERROR: Unsupported object key
  }
}
hew {
  hew { # ERROR: Unsupported block type
  }
  provider { # ERROR: Unsupported block type
  }
  guards {
    guards { # ERROR: Unsupported block type
    }
    ledger "file" { # ERROR: Unsupported block type
    }
  }
}
provider {
  hew { # ERROR: Unsupported block type
  }
}
removed {
  from = group.gone
  lifecycle {
    lifecycle { # ERROR: Unsupported block type
    }
    destroy = false
  }
  moved { # ERROR: Unsupported block type
  }
}
locals {
  resource "group" "x" { # ERROR: Unsupported block type -- A locals block supports only arguments
  }
}
output "o" {
  value = 1
  resource "group" "x" { # ERROR: Unsupported block type
  }
}
data "projects" "p" {
  group = "acme"
  lifecycle {
    prevent_destroy = true # ERROR: Unsupported argument -- so their lifecycle supports only precondition and postcondition
  }
  resource "group" "x" { # ERROR: Unsupported block type
  }
}
exclusive "project_hook" "all" {
  of = 1
  lifecycle {
    prevent_destroy = true # ERROR: Unsupported argument -- so its lifecycle supports only allow
    allow           = ["mass-delete"]
  }
}
guards { # ERROR: Unsupported block type
}
lifecycle { # ERROR: Unsupported block type
}
ledger "file" { # ERROR: Unsupported block type
}
project_and_groups { # ERROR: Unsupported block type
}
project "acme/app" { # ERROR: Unsupported block type -- Write resource "project" "NAME" { … }
}
variables { # ERROR: Unsupported block type -- Did you mean "variable"?
}
path = "g" # ERROR: Unsupported argument
