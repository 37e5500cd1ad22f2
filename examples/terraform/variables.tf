variable "company" {
  description = "The path of the company's group."
  type        = string
  default     = "acme-corp"
}

variable "owners" {
  description = "Who owns all of it."
  type        = set(string)
}

variable "teams" {
  description = "The teams, with who is in them and which services they run."
  type = map(object({
    lead     = string
    members  = optional(map(string), {})
    services = optional(list(string), [])
  }))
}

variable "hook_token" {
  description = "What receivers of hooks know the host by."
  type        = string
  sensitive   = true
}
