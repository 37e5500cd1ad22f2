variable "company" {
  type        = string
  default     = "vandelay"
  description = "The path of the company's group."
}

variable "teams" {
  description = "The teams, each with the room that it talks in and its projects."
  type        = map(object({ room = string, projects = set(string) }))

  default = {
    import = { room = "imports", projects = ["customs", "freight"] }
    export = { room = "exports", projects = ["latex"] }
  }
}

variable "ci" {
  type        = string
  default     = "https://ci.vandelay.example"
  description = "The build farm."
}

variable "partners" {
  description = "Who gets a copy of which project, of the branches that the pattern matches."
  type        = map(object({ project = string, url = string, branches = optional(string, "^release/") }))

  default = {
    kruger = { project = "import/freight", url = "ssh://git@code.kruger.example/vandelay/freight.git" }
  }

  validation {
    condition     = alltrue([for p in values(var.partners) : startswith(p.url, "ssh://")])
    error_message = "Partners are pushed to with a key, and so by ssh: a password would have to be theirs."
  }
}

variable "handbook" {
  type        = string
  default     = "library/docs"
  description = "A project that others keep, and that the audit hears of as well."
}

variable "hook_token" {
  type        = string
  sensitive   = true
  description = "Sent with every webhook, so that the receiver knows it is really us."

  validation {
    condition     = length(var.hook_token) >= 16
    error_message = "That is short enough to be guessed: take 16 characters or more."
  }
}

variable "chat_key" {
  type        = string
  sensitive   = true
  description = "The part of the chat's addresses that nobody else may know."
}

variable "mirror_password" {
  type        = string
  sensitive   = true
  description = "What the second site knows us by."
}
