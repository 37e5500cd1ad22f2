# A team that nobody is in, to try changes of the modules out with before there are people who notice. Off with -var trial=false.

variable "trial" {
  type    = bool
  default = true
}

module "trial" {
  source = "../../modules/team"
  count  = var.trial ? 1 : 0

  name      = "trial"
  parent    = group.company
  team      = { description = "Nobody's", lead = "carol" }
  services  = { echo = { description = "Says what it is told" } }
  receivers = var.receivers
  token     = var.hook_token
}
