hew {
  required_version = ">= soon" # ERROR: Invalid value -- ">= soon" is not a valid version constraint
}
