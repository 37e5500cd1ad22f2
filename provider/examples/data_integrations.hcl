# The integrations of the project, including undeclared ones.
data "integrations" "api" {
  project = project.api.id
}

output "triggered_by_pushes" {
  value = [for i in data.integrations.api.integrations : i.title if i.push_events]
}
