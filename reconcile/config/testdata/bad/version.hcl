hew {
  required_version = ">= soon" # ERROR: Invalid value -- is no version
}
