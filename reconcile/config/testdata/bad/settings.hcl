provider { # comment
  base_url = 1
  tokn     = "x" # ERROR: Unsupported argument -- Did you mean "token"?
}
hew {
  ledger "file" {}
  ledger "file" {} # ERROR: Duplicate declaration
}
