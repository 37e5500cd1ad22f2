# What differs between environments is in hew.hclvars beside this file; what must be in no file comes from outside, as
# HEW_VAR_hook_token or -var hook_token=...

variable "company" {
  description = "The group that everything is in."
  nullable    = false

  type = object({
    path       = string
    name       = string
    visibility = optional(string, "internal")
  })
}

variable "owners" {
  type        = set(string)
  description = "Who may do everything everywhere, the account that hew works as included."
}

variable "sandboxes" {
  type    = number
  default = 0
}

variable "receivers" {
  description = "Who is told what happens in the projects. What may be said of each is for modules/service to say."
}

variable "hook_token" {
  type        = string
  sensitive   = true
  nullable    = false
  description = "Sent with every webhook, so that the receiver knows it is really us."

  validation {
    condition     = length(var.hook_token) >= 16
    error_message = "That is short enough to be guessed: take 16 characters or more."
  }
}
