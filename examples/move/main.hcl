variable "hook_token" {
  type      = string
  sensitive = true
}

resource "group" "company" {
  path       = "umbrella"
  visibility = "private"
}

resource "project" "service" {
  for_each = toset(["billing", "shop"])

  path           = each.key
  namespace      = group.company.id
  visibility     = "private"
  default_branch = "main"
  merge_method   = "ff"
  squash_option  = "default_on"
}

# Archives hold these: after the move they are there already.

resource "project_label" "bug" {
  for_each = project.service

  project     = each.value.id
  name        = "bug"
  color       = "#d9534f"
  description = "It does not do what it should."
}

resource "project_milestone" "release" {
  for_each = project.service

  project  = each.value.id
  title    = "1.0"
  due_date = "2027-03-31"
}

# Archives do not hold secrets, nor what sends to other hosts: hew creates these after the move.

resource "project_hook" "deploy" {
  for_each = project.service

  project     = each.value.id
  url         = "https://deploy.example.com/${each.key}"
  token       = var.hook_token
  push_events = true
}
