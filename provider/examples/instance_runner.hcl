resource "instance_runner" "everybody" {
  description      = "everybody's"
  tag_list         = ["linux", "docker"]
  maintenance_note = "The operators look after it."
}
