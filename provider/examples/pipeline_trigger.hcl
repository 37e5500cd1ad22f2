# The jobs of all projects in the group can start pipelines of the project with this token. They get
# it in the same apply; neither the ledger nor plans contain it.
resource "pipeline_trigger" "libraries" {
  project     = project.api.id
  description = "libraries"
}

resource "group_variable" "api_trigger" {
  group  = group.acme.id
  key    = "API_TRIGGER_TOKEN"
  value  = pipeline_trigger.libraries.token
  masked = true
}
