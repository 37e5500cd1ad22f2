# Members of a group are members of all that is below it, so each is named as far down as will do.

# The owners of what is at the top, all of them. Whoever else became one is none any more with the next apply.
resource "group_members" "owners" {
  for_each = { company = group.company.id, partners = group.partners.id }

  group     = each.value
  exclusive = true
  members   = { for name in setunion(var.owners, [var.applier]) : name => { access_level = "owner" } }
}

# All of them have to be there: a name that nobody has is an error of the plan, and not a gap that nobody notices.
data "users" "team" {
  for_each  = var.teams
  usernames = keys(each.value.members)
}

# Not exclusive: leads may add people by hand, and hew looks after these only.
resource "group_members" "team" {
  for_each = var.teams
  group    = group.team[each.key].id
  members  = { for name, id in data.users.team[each.key].by_username : name => { access_level = each.value.members[name] } }
}

# Access that ends by itself. Who is still here then gets another day in variables.hcl.
resource "project_member" "contractor" {
  for_each = var.contractors

  project      = project.of_team[each.value.project].id
  user         = each.key
  access_level = "developer"
  expires_at   = each.value.until
}

# The keys of everything: beside the team one person alone has a role of his own here, not even whoever made the project.
data "user" "custodian" {
  username = var.custodian

  lifecycle {
    postcondition {
      condition     = self.state == "active"
      error_message = "The account of ${self.name} is ${self.state}: the keys need another custodian."
    }
  }
}

resource "project_members" "keys" {
  project   = project.of_team["vault/keys"].id
  exclusive = true
  members   = { (data.user.custodian.username) = { access_level = "reporter" } }
}

# Somebody without an account is invited, and is a member once that is accepted.
resource "group_member" "adviser" {
  group        = group.team["search"].id
  email        = "gina@advisers.example"
  access_level = "guest"
}

# Who that makes, from wherever it comes: by these lists, by the company's, by the directory.
data "members" "team" {
  for_each  = var.teams
  group     = group.team[each.key].id
  inherited = true
}

output "access" {
  description = "Who can work in each team's group."
  value       = { for team, m in data.members.team : team => m.usernames }
}
