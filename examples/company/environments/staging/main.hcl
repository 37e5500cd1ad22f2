# Three sources of truth meet here: teams.yaml, kept by the leads; contractors.csv, exported by the people who pay them;
# and the catalogue of services, which another program writes and which therefore is JSON.

locals {
  teams = yamldecode(file("teams.yaml"))

  # An expiry in the past is an error, so whoever has left is left out, and loses access with the next apply.
  contractors = {
    for row in csvdecode(file("contractors.csv")) : "${row.team}/${row.username}" => row
    if timecmp("${row.until}T00:00:00Z", plantimestamp()) > 0
  }
}

module "baseline" {
  source = "../../modules/baseline"

  group     = group.company
  owners    = var.owners
  sandboxes = var.sandboxes
}

# The owners come first: with them somebody can mend what an interrupted apply leaves behind.
module "team" {
  source     = "../../modules/team"
  for_each   = local.teams
  depends_on = [module.baseline]

  name      = each.key
  parent    = group.company
  team      = each.value
  services  = { for name, service in local.services : name => service if service.team == each.key }
  receivers = var.receivers
  token     = var.hook_token
}

# Not before everything else of the teams is there: a first apply that stops half-way lets nobody in from outside.
resource "group_member" "contractor" {
  for_each   = local.contractors
  depends_on = [module.team]

  group        = module.team[each.value.team].group.id
  user         = each.value.username
  access_level = each.value.role
  expires_at   = each.value.until
}
