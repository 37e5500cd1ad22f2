# H09: names that nothing has, with what was meant. H11: what stands one level
# too high.
group "acme" { # ERROR: Unsupported block type -- Write resource "group" "NAME" { … }
  path = "acme"
}
resorce "group" "lost" { # ERROR: Unsupported block type -- Did you mean "resource"?
  path = "acme"
}
resource "groop" "x" { # ERROR: Unknown resource kind -- Did you mean "group"?
}
resource "hook" "x" { # ERROR: Unknown resource kind -- Did you mean project_hook?
}
data "proyects" "x" { # ERROR: Unknown data source -- Did you mean "projects"?
}
resource "group" "typo" {
  path        = "typo"
  visibilty   = "private" # ERROR: Unsupported argument -- Did you mean "visibility"?
  branchs {               # ERROR: Unsupported block type
  }
  id = 7 # ERROR: Value for unconfigurable attribute
}
resource "group" "9x" { # ERROR: Invalid name
  path = "x"
}
resource "group" "none" { # ERROR: Missing required argument -- "path"
}
resource "group" { # ERROR: Missing block label -- resource "KIND" "NAME"
  path = "x"
}
resource "project" "p" {
  path      = "p"
  namespace = "acme"
  provider  = aws.eu # ERROR: Unsupported argument -- hew has no provider meta-argument
}
exclusive "group_members" "m" { # ERROR: Invalid exclusive block -- Set exclusive = true in that block, or write exclusive "group_member"
  of = "acme"
}
exclusive "nothing" "m" { # ERROR: Unknown resource kind
  of = "acme"
}
# Of what a misspelt block declares it is not told that it is not there.
output "lost" { value = group.lost.path }
output "groop" { value = group.x.path }
output "hook" { value = project_hook.x.id }
