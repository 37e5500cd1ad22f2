resource "gitlab_group_label" "kind" {
  for_each = { bug = "#d9534f", feature = "#5cb85c" }

  group = gitlab_group.company.id
  name  = "kind::${each.key}"
  color = each.value
}

resource "gitlab_project_label" "typo" {
  project     = gitlab_project.handbook.id
  name        = "typo"
  color       = "blue"
  description = "Something is misspelt."
}

resource "gitlab_project_milestone" "first" {
  project  = gitlab_project.handbook.id
  title    = "First edition"
  due_date = "2099-01-31"
}

resource "gitlab_topic" "docs" {
  name  = "acme-docs"
  title = "Documents of ACME"
}
