# What is seen without being a member is said here; who is a member, in the other files.

resource "group" "company" {
  path        = var.company
  name        = title(var.company)
  description = "Members are kept in git: ask for access with a merge request."
  visibility  = "internal"

  request_access_enabled  = false
  subgroup_creation_level = "owner"
  project_creation_level  = "maintainer"

  lifecycle {
    prevent_destroy = true # everything else is in it
  }
}

resource "group" "team" {
  for_each = var.teams

  path       = each.key
  parent     = group.company.id
  visibility = "private"
}

resource "project" "of_team" {
  for_each = local.projects

  path       = basename(each.key)
  namespace  = group.team[each.value].id
  visibility = "private"
}

locals {
  # "search/index" => "search"
  projects = merge([for team, t in var.teams : { for name in t.projects : "${team}/${name}" => team }]...)
}
