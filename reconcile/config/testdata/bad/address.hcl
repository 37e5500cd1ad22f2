moved {
  from = group.acme.id # ERROR: Invalid address -- did not expect ".id"
  to   = group.new
}
moved {
  from = gruop.acme # ERROR: Unknown resource kind -- Did you mean "group"?
  to   = group.new
}
moved { # ERROR: Invalid move
  from = group.new
  to   = group.new
}
removed { # ERROR: Object still declared
  from = group.new
}
moved { # ERROR: Object still declared | Duplicate declaration -- main.hcl:13
  from = group.new
  to   = group.newer
}
moved { # ERROR: Invalid move -- from is a group and to is a project
  from = group.o
  to   = project.n
}
moved { # ERROR: Invalid move -- from is a module and to is a group
  from = module.o
  to   = group.n
}
removed {
  from = "group" # ERROR: Invalid address
}
removed {
  from = group.gone
  lifecycle {
    allow = ["adopted-delet"] # ERROR: Unknown guard -- Did you mean "adopted-delete"?
  }
}
removed {
  from = group.gone["a"]["b"] # ERROR: Invalid address
}
removed {
  from = group_members.gone["a"][1] # ERROR: Invalid address
}
resource "group" "new" { path = "new" }
