locals {
  a = timestamp()       # ERROR: Unsupported function -- Use plantimestamp(), which is the same throughout a run, or pass the time in as a variable
  b = uper("x")         # ERROR: Call to unknown function -- Did you mean "upper"?
  c = bcrypt("x")       # ERROR: Unsupported function -- and pass the result in as a variable
  d = abspath("x")      # ERROR: Unsupported function -- All paths are relative to the configuration's directory
  e = list("x")         # ERROR: Unsupported function -- Write tolist([…]) or […]
  f = provider::a::b(1) # ERROR: Unsupported function -- and hew's provider has no functions
}
