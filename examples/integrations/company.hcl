# Set up once. A project takes it over by saying so, or says something else.

resource "group_integration" "tracker" {
  group = group.company.id
  slug  = "jira"

  merge_requests_events = true
  commit_events         = false # too much of it, and the same again with the merge request

  properties = {
    url      = var.tracker
    username = "host"
    password = var.tracker_password
  }
}

resource "group_integration" "builds" {
  group = group.company.id
  slug  = "jenkins"

  tag_push_events = true

  properties = {
    jenkins_url  = "https://builds.wayne.example"
    project_name = "wayne"
    username     = "host"
    password     = var.build_password
  }
}

# What is tied to the whole company sees all of its code. There is nothing else.
exclusive "group_integration" "company" {
  of = group.company.id
}
