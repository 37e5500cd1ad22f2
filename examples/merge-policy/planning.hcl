# Labels with :: are of one scope, and an issue has one of each scope at most. The same words in all projects make boards and
# reports of the whole company possible.

locals {
  labels = {
    "type::bug"        = { color = "crimson", says = "It does not do what it should." }
    "type::feature"    = { color = "seagreen", says = "It should do something else as well." }
    "type::chore"      = { color = "#6c757d", says = "Nobody will notice." }
    "review::security" = { color = "#f90", says = "Security has to look at it." }
  }

  quarters = {
    "2030 Q1" = { start = "2030-01-01", due = "2030-03-31" }
    "2030 Q2" = { start = "2030-04-01", due = "2030-06-30" }
  }
}

resource "group_label" "company" {
  for_each = local.labels

  group       = group.company.id
  name        = each.key
  color       = each.value.color
  description = each.value.says
}

# A second word for the same thing splits every report, so there are no others for all. Projects may have their own.
exclusive "group_label" "company" {
  of = group.company.id
}

resource "project_label" "migration" {
  project     = project.all["ledger"].id
  name        = "migration"
  color       = "navy"
  description = "It changes what is stored, and cannot be taken back."
  priority    = 1
}

resource "group_milestone" "quarter" {
  for_each = local.quarters

  group      = group.company.id
  title      = each.key
  start_date = each.value.start
  due_date   = each.value.due
}

resource "project_milestone" "audit" {
  project     = project.all["ledger"].id
  title       = "Audit"
  description = "Everything that the auditors asked for."
  due_date    = "2030-02-15"
}

data "labels" "ledger" {
  project   = project.all["ledger"].id
  inherited = true
}

output "labels" {
  description = "What work on the ledger can be labelled with."
  value       = data.labels.ledger.names
}

data "milestones" "ledger" {
  project   = project.all["ledger"].id
  inherited = true
  state     = "active"
}

output "milestones" {
  description = "What work on the ledger can be planned for."
  value       = data.milestones.ledger.titles
}
