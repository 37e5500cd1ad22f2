# Makes the members of the LDAP group "developers" developers of the group.
resource "group_ldap_link" "developers" {
  group        = group.acme.id
  provider     = "ldapmain"
  cn           = "developers"
  group_access = "developer"
}

resource "group_ldap_link" "operations" {
  group        = group.platform.id
  provider     = "ldapmain"
  filter       = "(&(department=it)(title=*ops*))"
  group_access = "maintainer"
}
