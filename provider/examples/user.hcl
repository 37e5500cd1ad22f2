# Somebody new, who gets an e-mail to choose a password by, and is in the group at once.
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
