resource "application_settings" "instance" {
  signup_enabled               = false
  default_project_visibility   = "private"
  restricted_visibility_levels = ["internal"]

  # Set limits together with the argument that enables them; hew validate checks it.
  throttle_unauthenticated_web_enabled             = true
  throttle_unauthenticated_web_requests_per_period = 600
  throttle_unauthenticated_web_period_in_seconds   = 60

  after_sign_up_text = "Ask the platform team for access to a group."
}
