owners = ["alice"]

teams = {
  payments = {
    lead     = "bob"
    members  = { carol = "developer", dora = "reporter" }
    services = ["ledger", "invoices"]
  }
  storefront = {
    lead     = "carol"
    services = ["web"]
  }
}
