# What the platform group can use from above, for its own project.
data "labels" "usable" {
  group     = group.platform.id
  inherited = true
  search    = "type::"
}

resource "group_label" "bug" {
  group = group.acme.id
  name  = "type::bug"
  color = "red"
}

output "labels" {
  value = data.labels.usable.names
}
