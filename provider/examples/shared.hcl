# Declares the objects that the examples of other kinds refer to.

variable "hook_token" {
  type        = string
  sensitive   = true
  description = "Sent with every webhook, so that the receiver knows the host."
}

variable "service_secret" {
  type        = string
  sensitive   = true
  description = "Authenticates the host to another service."
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
