# What the examples of kinds refer to without declaring it themselves.

variable "hook_token" {
  type        = string
  sensitive   = true
  description = "Sent with every webhook, so that the receiver knows the host."
}

variable "service_secret" {
  type        = string
  sensitive   = true
  description = "What another service knows the host by."
}

resource "group" "acme" {
  path = "acme"
}

resource "group" "platform" {
  path   = "platform"
  parent = group.acme.id
}

resource "project" "api" {
  path      = "api"
  namespace = group.platform.id
}
