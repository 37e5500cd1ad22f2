# The same scoped labels for all projects of the group.
resource "group_label" "type" {
  for_each = { bug = "crimson", feature = "seagreen", chore = "#6c757d" }

  group       = group.acme.id
  name        = "type::${each.key}"
  color       = each.value
  description = "What kind of work it is."
}
