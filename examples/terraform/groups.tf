resource "gitlab_group" "company" {
  name             = "ACME Corporation"
  path             = var.company
  description      = "Everything that ACME builds."
  visibility_level = "internal"

  project_creation_level            = "maintainer"
  require_two_factor_authentication = false
  allowed_email_domains_list        = ["acme.example", "contractors.example"]

  default_branch_protection_defaults {
    allowed_to_push            = ["maintainer"]
    allowed_to_merge           = ["developer"]
    allow_force_push           = false
    developer_can_initial_push = true
  }

  push_rules {
    prevent_secrets      = true
    commit_message_regex = "^[A-Z].*"
  }

  lifecycle {
    prevent_destroy = false
    ignore_changes  = [description]
  }
}

resource "gitlab_group" "team" {
  for_each = var.teams

  name             = title(each.key)
  path             = each.key
  parent_id        = gitlab_group.company.id
  visibility_level = gitlab_group.company.visibility_level
}

resource "gitlab_group" "partners" {
  name = "Partners of ${gitlab_group.company.name}"
  path = "${gitlab_group.company.path}-partners"
}

resource "gitlab_group_share_group" "partners" {
  group_id       = gitlab_group.team["storefront"].id
  share_group_id = gitlab_group.partners.id
  group_access   = "reporter"
  expires_at     = "2099-01-01"
}
