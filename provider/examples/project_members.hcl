# Removes every other direct member of the project. Members of the group stay
# members of the project.
resource "project_members" "api" {
  project   = project.api.id
  exclusive = true
  members = {
    root  = { access_level = "owner" }
    alice = { access_level = "maintainer" }
    carol = { access_level = "reporter", expires_at = "2099-06-30" }
  }
}
