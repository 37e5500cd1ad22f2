resource "group_integration" "builds" {
  group = group.acme.id
  slug  = "jenkins"

  properties = {
    jenkins_url  = "https://jenkins.example.com"
    project_name = "acme"
    username     = "bot"
    password     = var.service_secret
  }
}
