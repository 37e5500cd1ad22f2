# The host and the token come from the environment, HEW_URL and HEW_TOKEN: a configuration that names neither can be
# planned against a copy of the host as well.

hew {
  required_version = ">= 0.1"

  # One ledger an environment, beside its files. It holds ids and keyed digests, so it may be committed; its key may not.
  ledger "file" {
    path = ".hew/ledger.json"
  }

  guards {
    max_deletes        = 5
    max_delete_percent = 10
    min_owners         = 2
    required_owners    = var.owners
  }
}

provider {
  concurrency = 8 # leaves room for the people who work on the host meanwhile
}
