# Nobody can push to main. Developers and members of platform can merge.
resource "protected_branch" "main" {
  project            = project.api.id
  name               = "main"
  push_access_level  = "no_access"
  merge_access_level = "developer"

  allowed_to_merge {
    group = group.platform.id
  }
}

resource "protected_branch" "releases" {
  project                      = project.api.id
  name                         = "release/*"
  push_groups                  = [group.platform.id]
  code_owner_approval_required = true
}

# Removes undeclared protections.
exclusive "protected_branch" "api" {
  of = project.api.id
}
