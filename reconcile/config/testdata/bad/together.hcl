resource "push_rule" "bare" { # ERROR: Invalid attribute combination -- limited takes a size
  project = "acme/api"
  limited = true
}
resource "push_rule" "lone" {
  project = "acme/api"
  size    = 7 # ERROR: Invalid attribute combination -- a size takes limited
}

# What is wrong already is not told again.
resource "push_rule" "wrong" {
  project = "acme/api"
  limited = true
  size    = "much" # ERROR: Invalid value
}
resource "push_rule" "typo" {
  project = "acme/api"
  limited = true
  sise    = 7 # ERROR: Unsupported argument
}
resource "push_rule" "right" {
  project = "acme/api"
  limited = true
  size    = 7
}
exclusive "push_rule" "all" { # ERROR: Invalid exclusive block -- An owner has at most one push_rule
  of = "acme/api"
}
