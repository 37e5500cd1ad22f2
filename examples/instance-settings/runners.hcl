# Everybody's machines.
resource "instance_runner" "shared" {
  for_each = var.runners

  description      = each.key
  tag_list         = each.value.tags
  run_untagged     = each.value.untagged
  maximum_timeout  = each.value.minutes * 60
  maintenance_note = each.value.note
}

# The operators' own: near what they work on, and not there for anybody else.
resource "group_runner" "operators" {
  group       = group.operators.id
  description = "operators"
  tag_list    = ["linux"]
}

# Applies this directory, with a token that may do everything. It takes jobs of protected branches alone, and of one project.
resource "project_runner" "apply" {
  project      = project.settings.id
  description  = "apply"
  tag_list     = ["apply"]
  run_untagged = false
  locked       = true
  access_level = "ref_protected"
}

exclusive "group_runner" "operators" {
  of = group.operators.id
}

exclusive "project_runner" "settings" {
  of = project.settings.id
}

# Hosts show the token of a runner once: it is in this output in the apply that makes it, and never again.
output "runner_tokens" {
  description = "What each new machine signs in with."
  sensitive   = true
  value       = { for name, r in instance_runner.shared : name => r.token }
}

# What every job is told. A job that goes round the proxy does not get out.
resource "instance_variable" "proxy" {
  for_each = {
    HTTPS_PROXY = "http://jobs:${var.proxy_password}@proxy.${var.company}.example:3128"
    NO_PROXY    = ".${var.company}.example"
  }

  key   = each.key
  value = each.value
}

resource "instance_variable" "proxy_password" {
  key         = "PROXY_PASSWORD"
  value       = var.proxy_password
  masked      = true
  description = "For what does not read HTTPS_PROXY"
}

# Machines that nobody has heard of are told of in every plan. Those of others count too, which groups and projects brought.
data "runners" "stale" {
  status = "stale"
}

check "runners" {
  assert {
    condition     = length(data.runners.stale.runners) == 0
    error_message = "Not heard of for a week: ${join(", ", [for r in data.runners.stale.runners : r.description])}."
  }
}

locals {
  tags = sort(distinct(flatten([for r in var.runners : tolist(r.tags)])))
}
