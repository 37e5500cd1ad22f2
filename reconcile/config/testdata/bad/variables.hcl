variable "needed" {} # ERROR: No value for required variable -- HEW_VAR_needed
variable "number" {
  type    = number
  default = "many" # ERROR: Invalid default value
}
variable "odd" { # ERROR: Invalid value for variable -- An even number is needed
  default = 3
  validation { # comment
    condition     = var.odd % 2 == 0
    error_message = "An even number is needed."
  }
}
variable "never" {
  default  = null # ERROR: Invalid default value -- must not be null
  nullable = false
}
variable "type" {
  type    = strng # ERROR: Invalid type specification
  default = "x"
}
variable "9" { # ERROR: Invalid name
}
