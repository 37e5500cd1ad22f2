# What the company's group has before there are any teams: its owners, and the projects that belong to everyone.

variable "group" {
  description = "The group itself, as the environment declares it."
}

variable "owners" {
  type        = set(string)
  nullable    = false
  description = "Who may do everything everywhere. The account that hew works as is one of them: it owns what it creates."

  validation {
    condition     = length(var.owners) > 1
    error_message = "With one owner, a single lost password locks everybody out. Name two."
  }
}

variable "sandboxes" {
  type        = number
  default     = 0
  nullable    = false
  description = "How many projects there are to try things out in."
}

# Exclusive: whoever is not in this list is removed, however they got in.
resource "group_members" "owners" {
  group     = var.group.id
  exclusive = true
  members   = { for name in var.owners : name => { access_level = "owner" } }
}

resource "project" "handbook" {
  path        = "handbook"
  namespace   = var.group.id
  description = "How we work"
  visibility  = var.group.visibility

  lifecycle {
    ignore_changes = [description, topics] # its editors keep these up to date by hand
    allow          = ["restore"]           # where the company's group comes back, so does this
  }
}

# Numbered, for one is like the other. What has a name of its own takes for_each, so that none moves up when one goes.
resource "project" "sandbox" {
  count       = var.sandboxes
  path        = "sandbox-${count.index + 1}"
  namespace   = var.group.id
  description = "Break it, it is emptied on Sundays"

  lifecycle {
    allow = ["restore"]
  }
}

output "projects" {
  value       = concat(["handbook"], project.sandbox[*].path)
  description = "The paths of the projects, below the company's group."
}
