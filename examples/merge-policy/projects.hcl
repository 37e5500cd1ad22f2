resource "group" "company" {
  path       = var.company
  visibility = "internal"

  # What holds for every project in it, also for one that somebody makes by hand.
  only_allow_merge_if_pipeline_succeeds            = true
  only_allow_merge_if_all_discussions_are_resolved = true
}

# Groups of people and not of projects: rules name them, so that a new reviewer is a change in one place.
resource "group" "reviewers" {
  for_each = var.reviewers

  path   = each.key
  parent = group.company.id
}

resource "group_members" "reviewers" {
  for_each = var.reviewers
  group    = group.reviewers[each.key].id
  members  = { for name, role in each.value : name => { access_level = role } }
}

resource "project" "all" {
  for_each   = local.policy
  depends_on = [group_push_rule.company] # a project begins with what its group has by then

  path       = each.key
  namespace  = group.company.id
  visibility = "internal"

  merge_method                     = "ff"
  squash_option                    = "default_on"
  remove_source_branch_after_merge = true
  merge_request_title_regex        = "^[A-Z].{9,}"
}

# Who approves has to be able to get in: members of these groups are members of every project that is reviewed.
resource "project_share" "reviewers" {
  for_each = merge([for path, p in local.reviewed : { for name in keys(var.reviewers) : "${path}/${name}" => { path = path, name = name } }]...)

  project      = project.all[each.value.path].id
  share_group  = group.reviewers[each.value.name].id
  group_access = "maintainer"
}
