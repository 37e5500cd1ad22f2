# A key for the program in production.
resource "error_tracking_key" "production" {
  project = project.api.id
}

output "dsn" {
  value = error_tracking_key.production.sentry_dsn
}
