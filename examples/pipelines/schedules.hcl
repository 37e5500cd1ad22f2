# At night, against the newest of everything.
resource "pipeline_schedule" "nightly" {
  for_each = merge({ library = project.library }, project.service)

  project       = each.value.id
  description   = "nightly"
  ref           = "main"
  cron          = "15 2 * * *"
  cron_timezone = "Europe/Berlin"

  variables = {
    SUITE = "full"
  }
}

# On Mondays only what takes long. It is off until there are machines for it.
resource "pipeline_schedule" "load" {
  project       = project.service["shop"].id
  description   = "load test"
  ref           = "main"
  cron          = "0 20 * * mon"
  cron_timezone = "Europe/Berlin"
  active        = false

  file_variables = {
    PROFILE = jsonencode({ users = 500, minutes = 30 })
  }
}

# A schedule that somebody made by hand runs in the name of that person, with access that nobody reviewed.
exclusive "pipeline_schedule" "all" {
  for_each = merge({ library = project.library }, project.service)
  of       = each.value.id
}
