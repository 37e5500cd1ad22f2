# Of what there is once on a host there is one block, whatever it is called.
resource "site" "one" {
  title = "One"
}

resource "site" "other" { # ERROR: Duplicate declaration
  title = "Other"
}

resource "site" "counted" {
  count = 1
  title = "May be left out"
}
