# What should be so, and stops nothing where it is not: a check that fails is a warning of every plan.

check "everything_declared" {
  data "projects" "all" {
    group     = group.company.id
    recursive = true
  }

  assert {
    condition     = length(data.projects.all.paths) == length(local.declared)
    error_message = "Made by hand: ${join(", ", setsubtract(data.projects.all.paths, local.declared))}."
  }
}

# Looked up by its path, as somebody would who knows nothing of this configuration.
check "not_public" {
  data "group" "company" {
    path = var.company.path
  }

  assert {
    condition     = data.group.company.visibility != "public"
    error_message = "Everybody can see that ${data.group.company.name} is here."
  }
}

locals {
  declared = formatlist("${var.company.path}/%s", concat(
    module.baseline.projects,
    keys(project.before_hew),
    flatten([for team in module.team : team.services]),
  ))
}
