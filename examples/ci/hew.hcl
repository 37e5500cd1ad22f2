hew {
  # The ledger is a Terraform state of a project on the host, with a lock that makes applies wait for each other. Where, and
  # how it is locked, the pipelines say: in TF_HTTP_ADDRESS and its like.
  ledger "http" {}

  guards {
    max_deletes = 3
  }
}

variable "hook_token" {
  type        = string
  sensitive   = true
  description = "Sent with every webhook. Plan and apply take the same: HEW_VAR_hook_token, a masked variable of the pipeline."
}
