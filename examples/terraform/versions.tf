terraform {
  required_version = ">= 1.7"

  required_providers {
    gitlab = {
      source  = "gitlabhq/gitlab"
      version = "~> 18.0"
    }
  }

  backend "http" {}
}

# The token comes from the environment, as GITLAB_TOKEN, and the host as GITLAB_BASE_URL.
provider "gitlab" {
  early_auth_check = true
}
