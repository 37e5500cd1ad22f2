module "web" { # ERROR: Not supported yet
  source = "./web"
}
import { # ERROR: Not supported yet
  to = group.a
  id = "12"
}
check "up" { # ERROR: Not supported yet
}
resource "group" "a" {
  path = "a"
  dynamic "x" { # ERROR: Not supported yet
  }
  lifecycle {
    create_before_destroy = true # ERROR: Not supported yet
    precondition {               # ERROR: Not supported yet
      condition     = true
      error_message = "x"
    }
  }
}
output "m" { value = module.web.id } # ERROR: Not supported yet
