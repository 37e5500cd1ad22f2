# Who may do what. Members of a group are members of everything below it, so the company's list names the few who see
# all, and each team names its own.

# Exclusive: whoever is not in this list is removed, however they got in.
resource "group_members" "acme" {
  group     = group.acme.id
  exclusive = true
  members = {
    (var.applier) = { access_level = "owner" }
    alice         = { access_level = "owner" }
    bob           = { access_level = "reporter" }
  }
}

# Not exclusive: leads may add people by hand, and hew looks after these only.
resource "group_members" "platform" {
  group = group.platform.id
  members = {
    bob   = { access_level = "maintainer" }
    carol = { access_level = "developer" }
  }
}

# One person in one place can be said on its own. The data block makes a misspelt name an error of the plan.
data "user" "dora" {
  username = "dora"
}

resource "group_member" "design_lead" {
  group        = group.design.id
  user         = data.user.dora.id
  access_level = "maintainer"
}
