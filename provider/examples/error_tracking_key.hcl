# The key that the program in production sends its errors with.
resource "error_tracking_key" "production" {
  project = project.api.id
}

output "dsn" {
  value = error_tracking_key.production.sentry_dsn
}
