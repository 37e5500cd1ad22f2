locals {
  acme = yamldecode(file("${path.module}/config.yml")).projects_and_groups["acme/*"]
}

resource "group_members" "acme" {
  group     = "acme"
  exclusive = try(local.acme.group_members.enforce, false)
  members   = local.acme.group_members.users
}
