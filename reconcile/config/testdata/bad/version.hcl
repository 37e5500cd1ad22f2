hew { # ERROR: Invalid value -- is no version
  required_version = ">= soon"
}
