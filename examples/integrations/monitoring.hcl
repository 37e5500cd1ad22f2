# Two ways in for alerts. The key of each is shown once, in the apply that makes it, and goes straight to whoever sends them.

resource "alert_integration" "metrics" {
  for_each = local.on_call

  project = project.service[each.key].id
  name    = "Metrics"
  type    = "prometheus"
  api_url = "https://metrics.wayne.example"
}

resource "alert_integration" "probes" {
  for_each = local.on_call

  project = project.service[each.key].id
  name    = "Probes from outside"
}

# The program that configures the monitoring is told of a new receiver by this, and what to sign in with.
resource "project_hook" "receivers" {
  for_each = local.on_call

  project     = project.service[each.key].id
  url         = "https://metrics.wayne.example/receivers/${each.key}"
  token       = alert_integration.metrics[each.key].authorization_key
  push_events = false
}

exclusive "alert_integration" "services" {
  for_each = project.service
  of       = each.value.id
}

# The host collects the errors of every service itself.
resource "error_tracking" "service" {
  for_each = var.services

  project    = project.service[each.key].id
  active     = true
  integrated = true
}

resource "error_tracking_key" "service" {
  for_each   = var.services
  depends_on = [error_tracking.service]

  project = project.service[each.key].id
}

output "alerts" {
  description = "Where alerts about each service are sent."
  value       = { for name, a in alert_integration.metrics : name => { metrics = a.url, probes = alert_integration.probes[name].url } }
}
