# A group that this configuration does not manage.
data "group" "acme" {
  path = group.acme.full_path
}

output "acme" {
  value = "${data.group.acme.full_name}: ${data.group.acme.web_url}"
}
