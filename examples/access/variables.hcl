variable "company" {
  type        = string
  default     = "hooli"
  description = "The path of the company's group."
}

variable "applier" {
  type        = string
  default     = "root"
  description = "The account that hew works as. It owns the groups that it makes, so the exclusive lists name it."
}

variable "owners" {
  type        = set(string)
  default     = ["alice", "bob"]
  description = "Who may do everything, everywhere."

  validation {
    condition     = length(var.owners) >= 2
    error_message = "One owner alone goes on holiday, too: name two."
  }
}

variable "teams" {
  description = "Who is in each team as what, which group of the directory is the team as well, and which projects it has."

  type = map(object({
    members   = map(string)
    directory = optional(string)
    projects  = optional(set(string), [])
  }))

  default = {
    search = {
      members   = { carol = "maintainer", dora = "developer" }
      directory = "search-engineers"
      projects  = ["crawler", "index"]
    }
    vault = {
      members  = { dora = "maintainer" }
      projects = ["keys"]
    }
  }
}

variable "contractors" {
  description = "Who helps with one project, until which day."
  type        = map(object({ project = string, until = string }))
  default     = { erin = { project = "search/index", until = "2099-06-30" } }
}

variable "custodian" {
  type        = string
  default     = "frank"
  description = "Who sees that keys are rotated."
}
