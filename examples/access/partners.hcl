# Groups of others. Their members come and go without us; what they may do here at most, and until when, is for us to say.

# Kept by the auditors, and only looked up: whoever calls it something else finds out in the plan.
data "group" "auditors" {
  path = "auditors"
}

resource "group_share" "audit" {
  group        = group.company.id
  share_group  = data.group.auditors.id
  group_access = "reporter"
  expires_at   = "2099-12-31"
}

resource "group" "partners" {
  path        = "${var.company}-partners"
  name        = "Partners of ${title(var.company)}"
  description = "Whoever builds on the index"
}

resource "project_share" "partners" {
  project      = project.of_team["search/index"].id
  share_group  = group.partners.id
  group_access = "reporter"
}

# A share opens a door for people whom nobody here knows, so there are no others.
exclusive "group_share" "company" {
  of = group.company.id
}

exclusive "project_share" "team" {
  for_each = project.of_team
  of       = each.value.id
}
