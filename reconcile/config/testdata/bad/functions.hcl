locals {
  a = timestamp()       # ERROR: Impure function -- variable
  b = uper("x")         # ERROR: Unknown function -- Did you mean "upper"?
  c = bcrypt("x")       # ERROR: Impure function
}
