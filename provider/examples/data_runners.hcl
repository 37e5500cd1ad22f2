# All runners of the group that have not contacted the host for a week.
data "runners" "stale" {
  group  = group.acme.id
  status = "stale"
}

output "stale_runners" {
  value = [for r in data.runners.stale.runners : r.description]
}
