# A team: a group, the people in it, and the services that they look after.

resource "group" "team" {
  path        = var.name
  parent      = var.parent.id
  description = var.team.description
  visibility  = var.team.visibility

  lifecycle {
    allow = ["restore"] # a team that comes back in time finds what it left

    precondition {
      condition     = var.team.visibility == "private" || var.parent.visibility != "private"
      error_message = "Nothing in a private group can be ${var.team.visibility}: make ${var.parent.path} internal first."
    }
  }
}

# Not exclusive: leads may add people by hand, and hew looks after these only.
resource "group_members" "team" {
  group   = group.team.id
  members = { for name, role in var.team.members : name => { access_level = role } }
}

# This was called people, before the list of contractors was another one.
moved {
  from = group_members.people
  to   = group_members.team
}

# A misspelt name is an error of the plan, and so is somebody who has left.
data "user" "lead" {
  username = var.team.lead

  lifecycle {
    postcondition {
      condition     = self.state == "active"
      error_message = "The account of ${self.username} is ${self.state}: team ${var.name} needs another lead."
    }
  }
}

resource "group_member" "lead" {
  group        = group.team.id
  user         = data.user.lead.id
  access_level = "maintainer"
}

module "service" {
  source   = "../service"
  for_each = var.services

  name      = each.key
  group     = group.team
  settings  = each.value
  receivers = var.receivers
  token     = var.token
}

output "group" {
  value       = group.team
  description = "The team's group."
}

output "services" {
  value       = [for name, service in module.service : service.path]
  description = "The paths of the team's projects, below the company's group."
}
