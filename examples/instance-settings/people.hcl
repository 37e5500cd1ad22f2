# Those whose accounts decide about all others, and so are kept here. Everybody else's come from the directory.

resource "user" "operator" {
  for_each = var.operators

  username         = each.key
  name             = each.value.name
  email            = each.value.email
  job_title        = "Operator"
  organization     = title(var.company)
  admin            = true
  can_create_group = true
  external         = false
  private_profile  = true

  lifecycle {
    prevent_destroy = true # what an account has made goes with it: block one that is not needed any more
  }
}

resource "user" "auditor" {
  for_each = var.auditors

  username         = each.key
  name             = each.value.name
  email            = each.value.email
  job_title        = "Auditor"
  auditor          = true
  external         = false
  can_create_group = false
  projects_limit   = 0
}

# What the operators work on themselves: this very directory, for one.
resource "group" "operators" {
  path        = "${var.company}-operators"
  description = "The settings of this host, and what it runs on"
}

resource "group_member" "operator" {
  for_each = var.operators

  group        = group.operators.id
  user         = user.operator[each.key].id
  access_level = "owner"
}

resource "project" "settings" {
  path        = "settings"
  namespace   = group.operators.id
  description = "What is declared of this host"
  topics      = [topic.all["infrastructure"].name]
}
