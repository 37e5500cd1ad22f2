# Authors and committers cannot approve, and a push removes all approvals.
resource "project_approval_settings" "api" {
  project                                    = project.api.id
  reset_approvals_on_push                    = true
  merge_requests_author_approval             = false
  merge_requests_disable_committers_approval = true
}
