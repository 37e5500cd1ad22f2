resource "gitlab_application_settings" "this" {
  help_page_text     = "Ask the platform team of ${gitlab_group.company.name}."
  after_sign_up_text = "Welcome."
}
