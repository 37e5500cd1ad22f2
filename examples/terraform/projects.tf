module "service" {
  source   = "./modules/service"
  for_each = merge([for team, t in var.teams : { for s in t.services : "${team}/${s}" => team }]...)

  name         = basename(each.key)
  namespace_id = gitlab_group.team[each.value].id
  hook_token   = var.hook_token

  providers = {
    gitlab = gitlab
  }
}

resource "gitlab_project" "handbook" {
  name         = "Handbook"
  namespace_id = gitlab_group.company.id
  description  = "How things are done here."
  topics       = ["docs"]

  merge_method                                     = "ff"
  squash_option                                    = "default_on"
  only_allow_merge_if_all_discussions_are_resolved = true
  archive_on_destroy                               = true

  container_expiration_policy {
    enabled           = true
    cadence           = "7d"
    keep_n            = 10
    older_than        = "14d"
    name_regex_delete = ".*"
    name_regex_keep   = "release-.*"
  }

  timeouts {
    delete = "5m"
  }
}

resource "gitlab_project_membership" "dora" {
  project      = gitlab_project.handbook.id
  user_id      = data.gitlab_user.person["dora"].id
  access_level = "maintainer"
}

resource "gitlab_project_share_group" "handbook" {
  project      = gitlab_project.handbook.id
  group_id     = gitlab_group.partners.id
  group_access = "guest"
}

resource "gitlab_project_access_token" "bot" {
  project      = gitlab_project.handbook.path_with_namespace
  name         = "publisher"
  scopes       = ["read_repository"]
  access_level = "developer"
  expires_at   = formatdate("YYYY-MM-DD", timeadd(plantimestamp(), "2400h"))

  lifecycle {
    ignore_changes = [expires_at]
  }
}

resource "gitlab_pipeline_schedule" "nightly" {
  project     = gitlab_project.handbook.id
  description = "every night"
  ref         = "refs/heads/main"
  cron        = "0 1 * * *"
}

# A freeze period has no kind in hew. It is left alone, which is said in a note.
resource "gitlab_project_freeze_period" "weekend" {
  project       = gitlab_project.handbook.id
  freeze_start  = "0 18 * * 5"
  freeze_end    = "0 7 * * 1"
  cron_timezone = "UTC"
}
