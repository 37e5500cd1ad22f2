# Jobs with "environment: production" deploy here. The variable is for these jobs alone.
resource "environment" "production" {
  project      = project.api.id
  name         = "production"
  external_url = "https://api.example.com"
  tier         = "production"
}

resource "project_variable" "replicas" {
  project           = project.api.id
  key               = "REPLICAS"
  value             = "3"
  environment_scope = environment.production.name
}
