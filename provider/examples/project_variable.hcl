# One key, with a value for production and another one for everything else.
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
