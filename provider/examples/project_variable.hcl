# One key, with different values for production and for all other environments.
variable "deploy_token" {
  sensitive = true
  default   = "glpat-0123456789"
}

resource "project_variable" "region" {
  project = project.api.id
  key     = "REGION"
  value   = "north"
}

resource "project_variable" "region_production" {
  project           = project.api.id
  key               = "REGION"
  value             = "south"
  environment_scope = "production"
  protected         = true
}

resource "project_variable" "token" {
  project = project.api.id
  key     = "DEPLOY_TOKEN"
  value   = var.deploy_token
  hidden  = true
}
