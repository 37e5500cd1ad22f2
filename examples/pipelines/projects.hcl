variable "company" {
  type        = string
  default     = "initrode"
  description = "The top-level group."
}

locals {
  services = ["billing", "shop"]
}

resource "group" "company" {
  path       = var.company
  visibility = "internal"
}

resource "project" "library" {
  path       = "library"
  namespace  = group.company.id
  visibility = "internal"

  auto_cancel_pending_pipelines = "enabled"
  build_timeout                 = 1800
}

resource "project" "service" {
  for_each = toset(local.services)

  path       = each.key
  namespace  = group.company.id
  visibility = "internal"

  ci_forward_deployment_enabled               = true  # an older commit is not deployed over a newer one
  ci_forward_deployment_rollback_allowed      = true  # unless somebody retries its job
  ci_separated_caches                         = true  # a cache of a branch cannot get into what is deployed
  public_jobs                                 = false # logs are for members
  ci_pipeline_variables_minimum_override_role = "maintainer"
}
