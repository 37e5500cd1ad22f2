resource "group" "company" {
  path = var.company
}

resource "project" "service" {
  for_each = var.services

  path      = each.key
  namespace = group.company.id
  topics    = each.value.on_call ? ["on-call"] : []
}

locals {
  on_call = { for name, s in var.services : name => s if s.on_call }
  tracked = { for name, s in var.services : name => s if s.tracker != null }
}
