# The second site has everything that is protected, and so everything that can be released.
resource "push_mirror" "second_site" {
  for_each = data.projects.all.by_path

  project = each.value
  url     = "https://${var.company}:${urlencode(var.mirror_password)}@second-site.vandelay.example/${each.key}.git"
  enabled = true

  only_protected_branches = true
  keep_divergent_refs     = false # whatever somebody pushed there is overwritten
}

# Partners have the releases alone, and what they have added themselves stays.
resource "push_mirror" "partner" {
  for_each = var.partners

  project             = project.of_team[each.value.project].id
  url                 = each.value.url
  auth_method         = "ssh_public_key"
  mirror_branch_regex = each.value.branches
  keep_divergent_refs = true
  enabled             = true
}

# A mirror is a copy that leaves the house: there are no others.
exclusive "push_mirror" "all" {
  for_each = data.projects.all.by_path
  of       = each.value
}

output "copies" {
  description = "Where each project is copied to, with what came of the last push."

  value = merge(
    { for path, m in push_mirror.second_site : path => { to = "the second site", last = m.update_status } },
    { for name, m in push_mirror.partner : "${name} (partner)" => { to = var.partners[name].url, last = m.update_status } },
  )
}

# A mirror that fails is seen in every plan, and stops nothing.
check "mirrors_work" {
  assert {
    condition     = alltrue([for m in push_mirror.second_site : m.update_status != "failed"])
    error_message = "The second site is behind: ${join(", ", [for path, m in push_mirror.second_site : path if m.update_status == "failed"])}."
  }
}
