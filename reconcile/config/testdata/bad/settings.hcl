provider { # comment
  base_url = 1
  tokn     = "x" # ERROR: Unsupported argument -- Did you mean "token"?
}
hew {
  required_providers {} # ERROR: Unsupported block type -- required_version, ledger or guards
  backend "s3" {}       # ERROR: Unsupported block type -- To configure the ledger, write hew { ledger "file" { path = … } }
  guards {
    max_deletes        = -1  # ERROR: Invalid value -- 0 or more
    max_delete_percent = 200 # ERROR: Invalid value -- from 0 to 100
    min_owners         = 1.5 # ERROR: Invalid value -- a whole number
    required_owners    = "alice" # ERROR: Invalid value -- required_owners
    allow_empty        = "x" # ERROR: Invalid value -- this string cannot be converted
  }
  ledger "file" {}
  ledger "file" {} # ERROR: Duplicate declaration
}
