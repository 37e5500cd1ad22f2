# Every project talks in a room of its own, of what went wrong and not of what is as it should be.
resource "integration" "chat" {
  for_each = var.services

  project = project.service[each.key].id
  slug    = "slack"

  push_events       = false
  tag_push_events   = true
  wiki_page_events  = false
  deployment_events = true

  properties = {
    webhook                      = "https://hooks.chat.wayne.example/services/${var.chat_secret}"
    username                     = "host"
    channel                      = each.value.room
    pipeline_channel             = "#builds"
    notify_only_broken_pipelines = true
    branches_to_be_notified      = "default_and_protected"
  }
}

# In the place of the company's: only issues of the project's own key are looked for.
resource "integration" "tracker" {
  for_each = local.tracked

  project = project.service[each.key].id
  slug    = "jira"

  merge_requests_events = true
  commit_events         = false

  properties = {
    url                       = var.tracker
    username                  = "host"
    password                  = var.tracker_password
    project_keys              = [each.value.tracker]
    jira_issue_transition_id  = "31"
    jira_exists_check_enabled = true
  }
}

# Whoever has no key of its own takes over what the company has set up, and follows it.
resource "integration" "company_tracker" {
  for_each   = { for name, s in var.services : name => s if s.tracker == null }
  depends_on = [group_integration.tracker]

  project                = project.service[each.key].id
  slug                   = "jira"
  use_inherited_settings = true
}

# Who is on call reads mails at night, and no chat.
resource "integration" "mails" {
  for_each = local.on_call

  project = project.service[each.key].id
  slug    = "pipelines-email"

  properties = {
    recipients                   = "on-call@wayne.example, alfred@wayne.example"
    notify_only_broken_pipelines = true
    branches_to_be_notified      = "default"
  }
}

resource "integration" "handbook" {
  for_each = var.services

  project    = project.service[each.key].id
  slug       = "external-wiki"
  properties = { external_wiki_url = "https://handbook.wayne.example/${each.key}" }
}

# What that makes of each project, with what somebody set up by hand.
data "integrations" "service" {
  for_each = var.services
  project  = project.service[each.key].id
}

output "tied_to" {
  description = "The services that each project is tied to."
  value       = { for name, all in data.integrations.service : name => all.slugs }
}
