resource "group_protected_branch" "stable" {
  group             = group.platform.id
  name              = "*-stable"
  push_access_level = "maintainer"
  allow_force_push  = false
}
