# The integrations of the project, including undeclared ones.
data "integrations" "api" {
  project = project.api.id
}

output "told_of_pushes" {
  value = [for i in data.integrations.api.integrations : i.title if i.push_events]
}
