# See the same file in production. Here teams come and go with whoever tries something out, so the guards are wider.

hew {
  required_version = ">= 0.1"

  ledger "file" {
    path = ".hew/ledger.json"
  }

  guards {
    max_deletes        = 50
    max_delete_percent = 100
    allow_empty        = true
    allow_recreate     = true
  }
}

provider {
  concurrency = 16
}
