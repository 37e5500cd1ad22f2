# Nobody pushes to main; developers and one of the owners merge into it.
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

# No other: a protection that nobody declares is ended.
exclusive "protected_branch" "api" {
  of = project.api.id
}
