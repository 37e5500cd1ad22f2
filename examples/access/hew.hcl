# Few people come and go in one day. More than that is a slip of somebody's, and stops the plan before anything is sent.

hew {
  guards {
    max_deletes        = 5
    max_delete_percent = 20
    min_owners         = 2
    required_owners    = var.owners
  }
}
