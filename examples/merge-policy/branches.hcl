# A release branch is the same everywhere, so the group protects it for all of its projects.
resource "group_protected_branch" "releases" {
  group              = group.company.id
  name               = "release/*"
  push_access_level  = "no_access"
  merge_access_level = "maintainer"
  allow_force_push   = false
}

# Nobody pushes to main; what gets there was merged.
resource "protected_branch" "main" {
  for_each = local.policy

  project                      = project.all[each.key].id
  name                         = "main"
  push_access_level            = "no_access"
  merge_access_level           = each.value.merge
  allow_force_push             = each.value.force
  code_owner_approval_required = each.value.approvals > 1
}

# The one way past all that: when it burns, those who look after everything merge by themselves, and it is seen who did.
resource "protected_branch" "hotfix" {
  for_each   = local.reviewed
  depends_on = [project_share.reviewers] # hosts refuse a group that the project is not shared with

  project            = project.all[each.key].id
  name               = "hotfix/*"
  push_access_level  = "maintainer"
  merge_access_level = "no_access"

  allowed_to_merge {
    group = group.reviewers["maintainers"].id
  }
}

# Versions are what customers get.
resource "protected_tag" "versions" {
  for_each = local.policy

  project             = project.all[each.key].id
  name                = "v*"
  create_access_level = "maintainer"
}

# A protection that nobody declares may let more people in than the one for main: there are no others.
exclusive "protected_branch" "all" {
  for_each = project.all
  of       = each.value.id
}

exclusive "protected_tag" "all" {
  for_each = project.all
  of       = each.value.id
}
