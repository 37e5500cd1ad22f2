variable "name" {
  type     = string
  nullable = false
}

variable "group" {
  description = "The team's group."
}

variable "settings" {
  description = "What sets the service apart. Everything else is the same for all, which is the point of the module."
  nullable    = false

  type = object({
    description  = string
    visibility   = optional(string, "private")
    topics       = optional(set(string), [])
    merge_method = optional(string, "ff")
  })
}

variable "receivers" {
  description = "Who is told what happens in the project, by name."
  default     = {}
  nullable    = false

  type = map(object({
    url            = string
    push           = optional(bool, true)
    merge_requests = optional(bool, false)
  }))

  validation {
    condition     = alltrue([for r in var.receivers : startswith(r.url, "https://")])
    error_message = "What a hook sends is nobody else's business: receivers are reached by https."
  }
}

variable "token" {
  type        = string
  sensitive   = true
  nullable    = false
  description = "Sent with every webhook, so that the receiver knows it is really us."
}
