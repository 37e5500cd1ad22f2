variable "company" {
  type        = string
  default     = "stark"
  description = "What people are told they are at, and the path of the operators' group."
}

variable "operators" {
  description = "The administrators, by the name that they sign in with."
  type        = map(object({ name = string, email = string }))

  default = {
    pepper = { name = "Pepper Potts", email = "pepper@stark.example" }
    happy  = { name = "Happy Hogan", email = "happy@stark.example" }
  }
}

variable "auditors" {
  description = "Who sees everything and changes nothing."
  type        = map(object({ name = string, email = string }))
  default     = { maria = { name = "Maria Hill", email = "maria@auditors.example" } }
}

variable "runners" {
  description = "The machines that do everybody's jobs, with what they can do."
  type        = map(object({ tags = set(string), untagged = optional(bool, false), minutes = optional(number, 60), note = optional(string, "") }))

  default = {
    linux = { tags = ["linux", "docker"], untagged = true }
    arm   = { tags = ["linux", "arm64"], note = "Four boards in the cellar: slow, and enough." }
    gpu   = { tags = ["linux", "gpu"], minutes = 240 }
  }
}

variable "proxy_password" {
  type        = string
  sensitive   = true
  description = "What the way out to the internet knows the jobs by."

  validation {
    condition     = can(regex("^[A-Za-z0-9+/=_-]{8,}$", var.proxy_password))
    error_message = "It is masked in the logs of jobs, so it has to be one word of eight characters or more."
  }
}
