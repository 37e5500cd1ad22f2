# One line decides for all projects of a tier, so that two of them never differ by chance.

locals {
  tiers = {
    core    = { approvals = 2, merge = "maintainer", force = false, sign_off = true }
    service = { approvals = 1, merge = "developer", force = false, sign_off = false }
    trial   = { approvals = 0, merge = "developer", force = true, sign_off = false }
  }

  policy   = { for path, tier in var.projects : path => local.tiers[tier] }
  reviewed = { for path, p in local.policy : path => p if p.approvals > 0 }
}

# Rules that vanish are worse than too many of them.
hew {
  guards {
    max_deletes        = 3
    max_delete_percent = 10
  }
}
