# An endpoint for alerts of Prometheus, and a hook that receives its key in the
# apply that creates it.
resource "alert_integration" "prometheus" {
  project = project.api.id
  name    = "Prometheus"
  type    = "prometheus"
  api_url = "https://prometheus.example.com"
}

resource "project_hook" "monitoring" {
  project = project.api.id
  url     = "https://monitoring.example.com/receivers"
  token   = alert_integration.prometheus.authorization_key
}
