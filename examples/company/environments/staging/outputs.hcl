output "services" {
  description = "The projects of each team."
  value       = { for name, team in module.team : name => team.services }

  precondition {
    condition     = length(local.orphans) == 0
    error_message = "Of no team in teams.yaml, and so nowhere: ${join(", ", local.orphans)}."
  }
}

output "receiver_setup" {
  description = "What the receivers have to be told: hew output -json receiver_setup"
  sensitive   = true
  value       = { for name, r in var.receivers : name => { url = r.url, token = var.hook_token } }
  depends_on  = [module.team] # nobody needs to listen before the hooks are there
}

locals {
  orphans = [for name, service in local.services : name if !contains(keys(local.teams), service.team)]
}
