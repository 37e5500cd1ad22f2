resource "application_settings" "instance" {
  # Who gets in. Accounts are made by the operators, or come from the directory.
  signup_enabled                           = false
  require_two_factor_authentication        = true
  two_factor_grace_period                  = 72
  password_authentication_enabled_for_git  = false
  minimum_password_length                  = 14
  session_expire_delay                     = 720
  require_admin_approval_after_user_signup = true # for whatever signs people up nevertheless
  user_default_external                    = true
  user_default_internal_regex              = "@${var.company}\\.example$"

  # Keys and tokens: strong, and not for ever.
  dsa_key_restriction                = -1
  rsa_key_restriction                = 3072
  max_personal_access_token_lifetime = 180

  # What is visible, unless its owner says otherwise.
  default_group_visibility     = "private"
  default_project_visibility   = "private"
  default_snippet_visibility   = "private"
  restricted_visibility_levels = ["public"]
  can_create_group             = false
  default_projects_limit       = 10
  default_branch_name          = "main"

  # What was deleted by mistake can be had back for a month.
  deletion_adjourned_period = 30

  # How much one may ask for. A limit that is on states both of its numbers.
  throttle_unauthenticated_api_enabled             = true
  throttle_unauthenticated_api_requests_per_period = 600
  throttle_unauthenticated_api_period_in_seconds   = 60
  throttle_authenticated_api_enabled               = true
  throttle_authenticated_api_requests_per_period   = 6000
  throttle_authenticated_api_period_in_seconds     = 60

  # What the host may reach, and what it tells others of itself.
  allow_local_requests_from_web_hooks_and_services = false
  outbound_local_requests_whitelist                = ["ci.${var.company}.example", "chat.${var.company}.example"]
  gravatar_enabled                                 = false
  usage_ping_enabled                               = false
  version_check_enabled                            = false

  # Storage.
  max_artifacts_size              = 500
  default_artifacts_expire_in     = "14 days"
  project_export_enabled          = true
  receive_max_input_size          = 200
  allow_runner_registration_token = false # runners are made in runners.hcl

  # What people read.
  after_sign_up_text    = "Ask the operators of ${title(var.company)} for access to a group."
  help_page_support_url = "https://help.${var.company}.example"
  shared_runners_text   = "Machines are listed by their tags: ${join(", ", local.tags)}."
}

# All of them as they are once this is applied, those included that nobody states here.
data "application_settings" "now" {}

# Not stated above, because whoever works on the host turns it on and off by hand. It must not stay on.
check "not_silent" {
  assert {
    condition     = !data.application_settings.now.silent_mode_enabled
    error_message = "The host is in silent mode: nobody gets any mail, and no hook is called."
  }
}
