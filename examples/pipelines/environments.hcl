# Environments of branches, review/*, come and go with their jobs, so they are not declared.
locals {
  places = merge([for name in local.services : {
    "${name}/staging"    = { service = name, tier = "staging", url = "https://${name}.staging.example.com" }
    "${name}/production" = { service = name, tier = "production", url = "https://${name}.example.com" }
  }]...)
}

resource "environment" "of_service" {
  for_each = local.places

  project      = project.service[each.value.service].id
  name         = each.value.tier
  tier         = each.value.tier
  external_url = each.value.url
}

# Only jobs that deploy to production get this.
resource "project_variable" "replicas" {
  for_each = project.service

  project           = each.value.id
  key               = "REPLICAS"
  value             = "3"
  environment_scope = environment.of_service["${each.key}/production"].name
}
