# The internet proxy for all jobs.
resource "instance_variable" "proxy" {
  key         = "HTTPS_PROXY"
  value       = "http://proxy.example.com:3128"
  description = "Jobs reach the internet through this."
}
