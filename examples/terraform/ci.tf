resource "gitlab_group_variable" "region" {
  group = gitlab_group.company.id
  key   = "REGION"
  value = "eu-central"
}

resource "gitlab_project_variable" "token" {
  for_each = module.service

  project   = each.value.id
  key       = "DEPLOY_TOKEN"
  value     = var.hook_token
  masked    = true
  protected = true
}

resource "gitlab_deploy_key" "handbook" {
  project  = gitlab_project.handbook.id
  title    = "publisher"
  key      = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILzzIIEZjIqcTrN+Og9DISiejcqKql/btK3SEuixEzFd"
  can_push = true
}

resource "gitlab_tag_protection" "handbook" {
  project             = gitlab_project.handbook.id
  tag                 = "v*"
  create_access_level = "no one"

  allowed_to_create {
    deploy_key_id = gitlab_deploy_key.handbook.deploy_key_id
  }
}

resource "gitlab_user_runner" "company" {
  runner_type = "group_type"
  group_id    = gitlab_group.company.id
  description = "builds for all of ACME"
  tag_list    = ["linux", "docker"]
  untagged    = true
}

resource "gitlab_project_mirror" "handbook" {
  project = gitlab_project.handbook.id
  url     = "https://backup.acme.example/handbook.git"
}
