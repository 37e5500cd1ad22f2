# The open milestones that the api project can use, including those of parent groups.
data "milestones" "open" {
  project   = project.api.id
  inherited = true
  state     = "active"
}

resource "group_milestone" "first" {
  group    = group.acme.id
  title    = "1.0"
  due_date = "2027-01-31"
}

output "milestones" {
  value = { for m in data.milestones.open.milestones : m.title => m.due_date }
}
