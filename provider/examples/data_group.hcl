# A group that somebody else manages.
data "group" "acme" {
  path = group.acme.full_path
}

output "acme" {
  value = "${data.group.acme.full_name}: ${data.group.acme.web_url}"
}
