resource "group_runner" "acme" {
  group       = group.acme.id
  description = "acme"
  tag_list    = ["linux"]
}
