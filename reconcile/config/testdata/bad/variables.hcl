variable "needed" {} # ERROR: Missing variable -- HEW_VAR_needed
variable "number" {
  type    = number
  default = "many" # ERROR: Invalid default
}
variable "odd" { # ERROR: Invalid value -- An even number
  default = 3
  validation { # comment
    condition     = var.odd % 2 == 0
    error_message = "An even number is needed."
  }
}
variable "never" {
  default  = null # ERROR: Invalid default -- must not be null
  nullable = false
}
variable "type" {
  type    = strng # ERROR: Invalid type specification
  default = "x"
}
variable "9" { # ERROR: Invalid name
}
