# What differs from one run to the next. Values come from HEW_VAR_applier and HEW_VAR_hook_token, from -var, or from
# a *.auto.hclvars file; a secret belongs into none of the files in git.

variable "applier" {
  type        = string
  default     = "root"
  description = "Username of the account that hew works as. It owns what it creates, so the exclusive member list has to name it."
}

variable "hook_token" {
  type        = string
  sensitive   = true
  description = "Sent with every webhook, so that the receiver knows it is really us."
}

locals {
  ci = "https://ci.acme.example"

  # One line a service: its repository, its hook and its settings follow from it.
  services = {
    api    = "What the apps and our partners talk to"
    web    = "The shop that customers see"
    worker = "Mails, invoices and everything else that can wait a minute"
  }
}
