resource "project_runner" "deploy" {
  project         = project.api.id
  description     = "deploy"
  tag_list        = ["deploy"]
  run_untagged    = false
  access_level    = "ref_protected"
  maximum_timeout = 3600
}
