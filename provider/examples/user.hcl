# A new user, who gets an e-mail to set a password and is a member of the group at once.
resource "user" "dora" {
  username     = "dora"
  name         = "Dora Diaz"
  email        = "dora@example.com"
  job_title    = "Developer"
  organization = "Acme"
}

resource "group_member" "dora" {
  group        = group.acme.id
  user         = user.dora.id
  access_level = "developer"
}
