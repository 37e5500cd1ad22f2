resource "project" "web" {
  path        = "web"
  namespace   = group.platform.id
  description = "The shop that customers see"
  visibility  = "private"
  topics      = ["frontend", "shop"]

  merge_method                                     = "ff"
  squash_option                                    = "default_on"
  only_allow_merge_if_pipeline_succeeds            = true
  only_allow_merge_if_all_discussions_are_resolved = true

  wiki_access_level = "disabled"
  build_timeout     = 1800
}

# Several projects with the same settings.
resource "project" "library" {
  for_each = {
    auth  = "Who is asking, and may they"
    money = "Amounts, currencies, rounding"
  }
  path         = each.key
  namespace    = group.platform.id
  description  = each.value
  merge_method = "ff"
}
