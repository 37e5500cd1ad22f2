# A service: its project, and the hooks that tell others what happens in it.

resource "project" "service" {
  path         = var.name
  namespace    = var.group.id
  description  = var.settings.description
  visibility   = var.settings.visibility
  topics       = var.settings.topics
  merge_method = var.settings.merge_method

  only_allow_merge_if_all_discussions_are_resolved = true
  merge_commit_template                            = templatefile("${path.module}/merge_commit.tmpl", { service = var.name, team = var.group.path })

  lifecycle {
    allow = ["restore"] # as its team
  }
}

resource "project_hook" "receiver" {
  for_each = var.receivers

  project               = project.service.id
  url                   = "${each.value.url}/${var.group.path}/${var.name}"
  token                 = var.token
  push_events           = each.value.push
  merge_requests_events = each.value.merge_requests

  # Receivers keep their books by the id of the hook. A service with another name gets new ones, each before the old one
  # goes, so that no push goes unheard.
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [project.service.path]
  }
}

# Hooks leak code, so there are no others: one that nobody declared is removed, however many there are.
exclusive "project_hook" "service" {
  of = project.service.id

  lifecycle {
    allow = ["mass-delete"]
  }
}

output "path" {
  value       = "${var.group.path}/${project.service.path}"
  description = "Where the service is, below the company's group."
}
