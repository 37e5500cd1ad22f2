locals {
  a = file("/etc/secret.txt") # ERROR: Error in function call -- relative to the configuration
  b = file("none.txt")      # ERROR: Error in function call -- there is no file none.txt
  c = range(1, 2, 0)        # ERROR: Invalid function argument -- step
  d = one([1, 2])           # ERROR: Error in function call -- must be a list or set with one element or none
  e = base64decode("/w==")  # ERROR: Error in function call -- not UTF-8
}
