# The push rules of new projects in the group.
resource "group_push_rule" "acme" {
  group = group.acme.id

  prevent_secrets      = true
  member_check         = true
  max_file_size        = 50
  author_email_regex   = "@example\\.com$"
  commit_message_regex = "^(Merge|Revert|[A-Z]+-[0-9]+) "
}
