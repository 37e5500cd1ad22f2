# One hook of the company hears of all that is made, moved or deleted in it, and of who joins.
resource "group_hook" "audit" {
  group       = group.company.id
  name        = "audit"
  description = "Kept for two years. Ask the auditors before anything here is changed."
  url         = "https://audit.vandelay.example/events"
  token       = var.hook_token

  push_events                  = false
  project_events               = true
  subgroup_events              = true
  member_events                = true
  resource_access_token_events = true

  custom_headers = { X-Company = var.company }
}

# Every team, those included that are made by hand: the list has them as soon as they are declared, or there.
data "groups" "teams" {
  parent = group.company.id
}

resource "group_hook" "chat" {
  for_each = data.groups.teams.by_path
  group    = each.value
  name     = "chat"

  # The key is kept apart from the address, so that the address can be shown.
  url           = "https://chat.vandelay.example/rooms/${try(var.teams[basename(each.key)].room, "everybody")}?key={key}"
  url_variables = { key = var.chat_key }

  push_events             = false
  merge_requests_events   = true
  releases_events         = true
  custom_webhook_template = file("chat.json")
}

# Every project at any depth, for the same reason. Archived ones say nothing any more.
data "projects" "all" {
  group     = group.company.id
  recursive = true
  archived  = false
}

resource "project_hook" "ci" {
  for_each = data.projects.all.by_path

  project = each.value
  name    = "build farm"
  url     = "${var.ci}/hooks/${each.key}"
  token   = var.hook_token

  push_events               = true
  push_events_branch_filter = "^(main|release/.+)$"
  branch_filter_strategy    = "regex"
  tag_push_events           = true
  merge_requests_events     = true
}

resource "project_hook" "handbook" {
  project          = data.project.handbook.id
  url              = "https://audit.vandelay.example/handbook"
  token            = var.hook_token
  push_events      = false
  wiki_page_events = true
}

# Whoever is told of a push can have the code. There are no other hooks: in what is ours, not in the handbook.
exclusive "project_hook" "all" {
  for_each = data.projects.all.by_path
  of       = each.value
}

exclusive "group_hook" "company" {
  of = group.company.id
}

exclusive "group_hook" "teams" {
  for_each = data.groups.teams.by_path
  of       = each.value
}
