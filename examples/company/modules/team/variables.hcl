variable "name" {
  type        = string
  nullable    = false
  description = "The path of the team's group."

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]+$", var.name))
    error_message = "${var.name} is part of every address: small letters, digits and dashes."
  }
}

variable "parent" {
  description = "The group that teams are in: the object, so that what it is can be asked as well as where."
}

variable "team" {
  description = "What teams.yaml says of the team."
  nullable    = false

  type = object({
    description = string
    lead        = string
    members     = optional(map(string), {}) # who, and as what
    visibility  = optional(string, "private")
  })

  validation {
    condition     = !contains(keys(var.team.members), var.team.lead)
    error_message = "${var.team.lead} leads the team, and so is no ordinary member as well."
  }
}

variable "services" {
  description = "What the catalogue says of the team's services, by their names."
  default     = {}

  type = map(object({
    description  = string
    visibility   = optional(string, "private")
    topics       = optional(set(string), [])
    merge_method = optional(string, "ff")
  }))
}

# Handed on as they are to every service, which says what they have to look like.
variable "receivers" {}

variable "token" {
  sensitive = true
}
