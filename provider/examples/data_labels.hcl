# The labels that the platform group can use, including those of parent groups.
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
  value = { for l in data.labels.usable.labels : l.name => l.color }
}
