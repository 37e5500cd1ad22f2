terraform {
  required_providers {
    gitlab = {
      source = "gitlabhq/gitlab"
    }
  }
}

variable "name" {
  type = string
}

variable "namespace_id" {
  type = string
}

variable "hook_token" {
  type      = string
  sensitive = true
}

resource "gitlab_project" "this" {
  name             = title(var.name)
  path             = var.name
  namespace_id     = var.namespace_id
  visibility_level = "private"
  default_branch   = "main"
}

resource "gitlab_project_push_rules" "this" {
  project           = gitlab_project.this.id
  prevent_secrets   = true
  deny_delete_tag   = true
  max_file_size     = 50
  branch_name_regex = "^(main|feature/.+)$"
}

resource "gitlab_project_hook" "ci" {
  project               = gitlab_project.this.id
  url                   = "https://ci.acme.example/hooks/${var.name}"
  token                 = var.hook_token
  merge_requests_events = true
}

output "web_url" {
  value = gitlab_project.this.web_url
}

output "id" {
  value = gitlab_project.this.id
}
