data "gitlab_group" "company" {
  full_path = gitlab_group.company.full_path
}

output "services" {
  value = { for key, s in module.service : key => s.web_url }
}

output "company_id" {
  value = data.gitlab_group.company.group_id
}

output "audit" {
  value = "${gitlab_group_hook.audit.id} of ${gitlab_group_hook.audit.url}"
}
