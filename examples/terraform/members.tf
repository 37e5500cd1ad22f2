locals {
  # One entry for each person in each team: "payments/carol" => { team, user, level }.
  members = merge([
    for team, t in var.teams : merge(
      { "${team}/${t.lead}" = { team = team, user = t.lead, level = "maintainer" } },
      { for user, level in t.members : "${team}/${user}" => { team = team, user = user, level = level } },
    )
  ]...)
}

data "gitlab_user" "person" {
  for_each = toset(concat(tolist(var.owners), [for m in local.members : m.user]))
  username = each.value
}

resource "gitlab_group_membership" "owner" {
  for_each     = var.owners
  group_id     = gitlab_group.company.id
  user_id      = data.gitlab_user.person[each.value].user_id
  access_level = "owner"
}

resource "gitlab_group_membership" "team" {
  for_each     = local.members
  group_id     = gitlab_group.team[each.value.team].id
  user_id      = data.gitlab_user.person[each.value.user].id
  access_level = each.value.level

  unassign_issuables_on_destroy = true
}
