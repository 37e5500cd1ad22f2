# What jobs need to know is said here, where it changes with what it comes from.

resource "group_variable" "company" {
  for_each = {
    TRACKER_URL = var.tracker
    HANDBOOK    = "https://handbook.wayne.example"
  }

  group = group.company.id
  key   = each.key
  value = each.value
}

# The tracker's password in jobs: hidden, so that nobody reads it in the settings, and for protected branches alone.
resource "group_variable" "tracker_password" {
  group     = group.company.id
  key       = "TRACKER_PASSWORD"
  value     = var.tracker_password
  hidden    = true
  protected = true
}

# The address that a service reports its errors to has the key in it. It is in every program that is shipped, and no secret.
resource "project_variable" "errors" {
  for_each = var.services

  project     = project.service[each.key].id
  key         = "SENTRY_DSN"
  value       = error_tracking_key.service[each.key].sentry_dsn
  description = "Where errors are reported to."
}

# In reviews nobody wants to be told of errors.
resource "project_variable" "no_errors" {
  for_each = var.services

  project           = project.service[each.key].id
  key               = "SENTRY_DSN"
  value             = ""
  environment_scope = "review/*"
}

exclusive "group_variable" "company" {
  of = group.company.id
}

exclusive "project_variable" "services" {
  for_each = project.service
  of       = each.value.id
}
