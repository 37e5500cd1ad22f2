# Whom the directory brings, it also takes away again. Exclusive member lists leave these people alone.

resource "group_ldap_link" "team" {
  for_each = { for name, team in var.teams : name => team.directory if team.directory != null }

  group        = group.team[each.key].id
  provider     = "ldapmain"
  cn           = each.value
  group_access = "developer"
}

# There is no group for these in the directory, but a title.
resource "group_ldap_link" "on_call" {
  group        = group.team["vault"].id
  provider     = "ldapmain"
  filter       = "(&(department=it)(title=*on call*))"
  group_access = "maintainer"
}

# Links are a way in that no list of members shows, so there are no others.
exclusive "group_ldap_link" "team" {
  for_each = group.team
  of       = each.value.id
}

resource "group_saml_link" "staff" {
  group           = group.company.id
  saml_group_name = "All staff"
  access_level    = "guest"
}

exclusive "group_saml_link" "company" {
  of = group.company.id
}
