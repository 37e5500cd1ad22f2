# Projects set their topics; this block describes one.
resource "topic" "payments" {
  name        = "payments"
  title       = "Payments"
  description = "Everything that moves money."
}

resource "project" "billing" {
  path      = "billing"
  namespace = group.acme.id
  topics    = [topic.payments.name]
}
