# The way out to the internet, for the jobs of everybody.
resource "instance_variable" "proxy" {
  key         = "HTTPS_PROXY"
  value       = "http://proxy.example.com:3128"
  description = "Jobs reach the internet through this."
}
