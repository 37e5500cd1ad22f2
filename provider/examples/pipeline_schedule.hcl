# Runs the pipeline of main on every working day, at night in Berlin.
resource "pipeline_schedule" "nightly" {
  project       = project.api.id
  description   = "nightly"
  ref           = "main"
  cron          = "30 3 * * mon-fri"
  cron_timezone = "Europe/Berlin"

  variables = {
    SUITE = "full"
  }
}
