# Everybody feels a mistake that is made here, so hardly anything may go without being named in a removed block.

hew {
  guards {
    max_deletes        = 1
    max_delete_percent = 5
    required_owners    = keys(var.operators)
  }
}
