# Nobody approves what he has written himself, and a push starts all over.
resource "project_approval_settings" "api" {
  project                                    = project.api.id
  reset_approvals_on_push                    = true
  merge_requests_author_approval             = false
  merge_requests_disable_committers_approval = true
}
