# A milestone for all projects of the group.
resource "group_milestone" "spring" {
  group       = group.acme.id
  title       = "2030 Q2"
  description = "Everything that is to be done before summer."
  start_date  = "2030-04-01"
  due_date    = "2030-06-30"
}
