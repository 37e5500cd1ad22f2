# The jobs of the services download packages of the library with their job tokens. No other jobs do.
resource "project_job_token_scope" "library" {
  project  = project.library.id
  enabled  = true
  projects = values(project.service)[*].id
}

# Nobody's jobs have business in the services.
resource "project_job_token_scope" "service" {
  for_each = project.service

  project  = each.value.id
  enabled  = true
  projects = []
  groups   = []
}

# The services are built again with a new version of the library: its jobs start their pipelines.
resource "pipeline_trigger" "library" {
  for_each = project.service

  project     = each.value.id
  description = "library"
}

resource "project_variable" "trigger" {
  for_each = pipeline_trigger.library

  project   = project.library.id
  key       = "TRIGGER_${upper(each.key)}"
  value     = each.value.token
  masked    = true
  protected = true
}
