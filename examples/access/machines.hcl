# Machines have accounts, tokens and keys of their own, each good for as little as will do.

locals {
  bots = {
    crawler = { does = "Opens merge requests with new versions", team = "search", role = "developer" }
    auditor = { does = "Compares what is here with the directory", team = "vault", role = "reporter" }
  }

  deploy_keys = {
    "search/crawler" = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHffYNoVuE4frF3BbBvCuQNP1K6jTzkUkIjFug75PFrX"
    "search/index"   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILQY471R6mloKHAFxISHZKaS3HF95+K+KGguSaZN10QS"
  }
}

resource "user" "bot" {
  for_each = local.bots

  username = "${var.company}-${each.key}-bot"
  name     = "${title(each.key)} (bot)"
  email    = "${each.key}-bot@${var.company}.example"
  note     = each.value.does

  # Nobody signs in as a bot: its password is known to nobody, and it may make nothing of its own.
  force_random_password = true
  skip_confirmation     = true
  external              = true
  can_create_group      = false
  projects_limit        = 0
}

resource "group_member" "bot" {
  for_each = local.bots

  group        = group.team[each.value.team].id
  user         = user.bot[each.key].id
  access_level = each.value.role
}

# One key a project: a machine that is lost can read one project, and push to none.
resource "deploy_key" "production" {
  for_each = local.deploy_keys

  project = project.of_team[each.key].id
  title   = "production: ${each.key}"
  key     = each.value
}

exclusive "deploy_key" "team" {
  for_each = project.of_team
  of       = each.value.id
}

# Reads the whole company, for the inventory.
resource "group_access_token" "inventory" {
  group        = group.company.id
  name         = "inventory"
  scopes       = ["read_api"]
  access_level = "reporter"
  expires_at   = local.next_quarter

  lifecycle {
    ignore_changes = [expires_at] # or every day would be a new token
  }
}

resource "project_access_token" "release" {
  project      = project.of_team["search/index"].id
  name         = "release"
  scopes       = ["read_repository", "write_repository"]
  access_level = "maintainer"
  expires_at   = local.next_quarter

  lifecycle {
    ignore_changes = [expires_at]
  }
}

# Hosts show a token once. The apply that makes it hands it to the jobs that need it, and it is in no file ever.
resource "project_variable" "release_token" {
  project   = project.of_team["search/index"].id
  key       = "RELEASE_TOKEN"
  value     = project_access_token.release.token
  hidden    = true
  protected = true
}

# What only clones needs no account at all.
resource "project_deploy_token" "mirror" {
  project    = project.of_team["search/index"].id
  name       = "mirror"
  username   = "${var.company}-mirror"
  scopes     = ["read_repository"]
  expires_at = local.next_quarter

  lifecycle {
    ignore_changes = [expires_at]
  }
}

resource "project_variable" "mirror_token" {
  project = project.of_team["search/index"].id
  key     = "MIRROR_TOKEN"
  value   = project_deploy_token.mirror.token
  hidden  = true
}

resource "group_deploy_token" "backup" {
  group  = group.company.id
  name   = "backup"
  scopes = ["read_repository"]
}

exclusive "group_access_token" "company" {
  of = group.company.id
}

exclusive "group_deploy_token" "company" {
  of = group.company.id
}

exclusive "project_access_token" "team" {
  for_each = project.of_team
  of       = each.value.id
}

locals {
  next_quarter = formatdate("YYYY-MM-DD", timeadd(plantimestamp(), "2160h"))
}
