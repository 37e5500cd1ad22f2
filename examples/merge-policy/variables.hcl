variable "company" {
  type        = string
  default     = "umbrella"
  description = "The path of the company's group."
}

variable "projects" {
  description = "Every project, by its path, with how much harm a bad change can do."
  type        = map(string)

  default = {
    ledger = "core"
    web    = "service"
    search = "service"
    sketch = "trial"
  }

  validation {
    condition     = alltrue([for tier in values(var.projects) : contains(["core", "service", "trial"], tier)])
    error_message = "A tier is core, service or trial."
  }
}

variable "reviewers" {
  description = "Who is in which group of reviewers, as what."
  type        = map(map(string))

  default = {
    maintainers = { alice = "maintainer", bob = "maintainer" }
    security    = { carol = "developer", dora = "developer" }
  }
}
