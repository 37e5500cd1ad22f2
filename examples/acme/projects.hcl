# The repositories of the platform team, and the hook that tells the build farm of every push.

resource "project" "service" {
  for_each    = local.services
  path        = each.key
  namespace   = group.platform.id
  description = each.value
  visibility  = "private"

  merge_method                                     = "ff"
  only_allow_merge_if_all_discussions_are_resolved = true
}

resource "project" "handbook" {
  path        = "handbook"
  namespace   = group.acme.id
  description = "How we work"
  visibility  = "internal"

  lifecycle {
    ignore_changes = [description] # its editors keep that up to date by hand
  }
}

# Every project of the team, those declared above included, even before they exist; so a project that somebody makes by
# hand gets its hook as well.
data "projects" "platform" {
  group = group.platform.id
}

resource "project_hook" "ci" {
  for_each              = data.projects.platform.by_path
  project               = each.value
  url                   = "${local.ci}/hooks/${each.key}"
  token                 = var.hook_token
  push_events           = true
  merge_requests_events = true
}

# Hooks leak code, so there are no others: one that nobody declared is removed.
exclusive "project_hook" "platform" {
  for_each = data.projects.platform.by_path
  of       = each.value
}

output "projects" {
  description = "The repositories of the platform team."
  value       = data.projects.platform.paths
}
