locals {
  a = timestamp()       # ERROR: Impure function -- plantimestamp
  b = uper("x")         # ERROR: Unknown function -- Did you mean "upper"?
  c = bcrypt("x")       # ERROR: Impure function -- variable
  d = abspath("x")      # ERROR: Function left out -- directory
  e = list("x")         # ERROR: Function left out -- tolist
  f = provider::a::b(1) # ERROR: Function left out -- provider
}
