package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// shown are the fields of what an import has stored that the golden file shows.
var shown = []struct{ path, fields string }{
	{"", "name path description visibility topics default_branch merge_method squash_option " +
		"build_timeout build_git_strategy public_jobs ci_config_path lfs_enabled " +
		"only_allow_merge_if_pipeline_succeeds mirror issues_access_level " +
		"wiki_access_level snippets_access_level pages_access_level import_type import_status import_error archived"},
	{"/labels", "name color description priority"},
	{"/milestones?iids[]=1&iids[]=3&iids[]=4", "iid title description state start_date due_date"},
	{"/members", "username access_level"},
	{"/issues?sort=asc&order_by=created_at", "iid title description state type author assignees labels milestone " +
		"weight health_status due_date confidential discussion_locked closed_at closed_by " +
		"time_stats task_completion_status " +
		"created_at updated_at"},
	{"/issues/1/discussions", "individual_note notes"},
	{"/issues/1/notes?sort=asc", "body system author created_at updated_at type"},
	{"/issues/1/award_emoji", "name user"},
	{"/issues/1/resource_label_events", "action label user created_at"},
	{"/issues/1/resource_state_events", "state user created_at"},
	{"/issues/2/links", "iid link_type"},
	{"/merge_requests?sort=asc", "iid title state draft source_branch target_branch sha merge_commit_sha merged_by " +
		"merged_at closed_at author assignees reviewers labels merge_when_pipeline_succeeds"},
	{"/merge_requests/1/notes", "body type position resolved resolved_by author"},
	{"/merge_requests/1/versions", "head_commit_sha base_commit_sha start_commit_sha state"},
	{"/merge_requests/1/commits", "title"},
	{"/merge_requests/1/diffs", "new_path diff new_file"},
	{"/merge_requests/2/commits", "title"},
	{"/snippets", "title description visibility author file_name created_at updated_at"},
	{"/releases", "tag_name name description author released_at milestones"},
	{"/releases/v1.0/assets/links", "name url link_type"},
	{"/protected_branches", "name allow_force_push code_owner_approval_required push_access_levels merge_access_levels"},
	{"/protected_tags", "name create_access_levels"},
	{"/push_rule", "commit_message_regex deny_delete_tag max_file_size"},
	{"/approval_rules", "name rule_type approvals_required usernames protected_branches"},
	{"/pipelines?sort=asc", "iid name ref sha status source"},
	{"/jobs?per_page=100", "name stage status allow_failure"},
	{"/pipeline_schedules", "description ref cron cron_timezone active owner next_run_at"},
	{"/repository/commits/v1.0/comments", "note author"},
	{"/repository/branches", "name default protected"},
	{"/repository/tags", "name target"},
	{"/uploads", "filename size"},
	{"/error_tracking/settings", "active integrated"},
	{"/events?sort=asc", "action_name target_type target_iid target_title author created_at"},
}

// pick returns the fields of a value of JSON, one a line.
func pick(b *strings.Builder, value any, fields []string) {
	if list, ok := value.([]any); ok {
		for _, v := range list {
			pick(b, v, fields)
		}
		return
	}
	object, _ := value.(map[string]any)
	b.WriteString("-")
	for _, f := range fields {
		if v, ok := object[f]; ok && v != nil {
			fmt.Fprintf(b, " %s=%s", f, short(v))
		}
	}
	b.WriteString("\n")
}

// short returns a value in one line, with the names of what it contains.
func short(value any) string {
	switch v := value.(type) {
	case []any:
		var parts []string
		for _, p := range v {
			parts = append(parts, short(p))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		for _, n := range []string{"username", "title", "access_level_description", "body", "name"} {
			if v[n] != nil && v[n] != "" {
				return fmt.Sprintf("%q", v[n])
			}
		}
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// describe returns what an import has stored, with names for commits.
func (i importer) describe(token string, r record, commits map[string]string) string {
	var b strings.Builder
	for _, s := range shown {
		var value any
		i.get(token, r.ID, s.path, &value)
		fmt.Fprintf(&b, "GET /projects/:id%s\n", s.path)
		pick(&b, value, strings.Fields(s.fields))
	}
	b.WriteString("failed relations\n")
	for _, f := range r.failures() {
		b.WriteString("- " + f + "\n")
	}
	text := b.String()
	for _, name := range slices.Sorted(maps.Keys(commits)) {
		text = strings.ReplaceAll(text, commits[name], "$"+name)
	}
	return regexp.MustCompile(`2026-\d\d-\d\dT[0-9:.]+Z`).ReplaceAllString(text, "NOW")
}

// An archive is imported with all that has a place here, by an administrator, who may say who is
// who. What cannot be stored is named, and the import goes on.
func TestImportOfEverything(t *testing.T) {
	t.Parallel()
	i := importer{t, servertest.Fresh(t), servertest.Persona{}}
	i.user = i.s.User(t, "carol")
	root := i.s.RootToken
	content, commits := bundle(t)
	files := readArchive(t, "full", commits)
	files["project.bundle"] = content
	r := i.bring(root, packFiles(t, files), map[string]string{
		"path": "shop", "name": "The shop", "override_params[description]": "Another text",
		"override_params[squash_option]": "", "override_params[lfs_enabled]": "false",
	})
	require.Nil(t, r.Error)
	require.Equal(t, "finished", r.Status)
	require.Equal(t, "gitlab_project", *r.Type)
	servertest.Golden(t, "testdata/archives/full.golden", i.describe(root, r, commits))

	reply := i.s.Do(t, "", "GET",
		fmt.Sprintf("/projects/%d/uploads/0123456789abcdef0123456789abcdef/notes.txt", r.ID), nil)
	require.Equal(t, "The notes\n", string(reply.Body))
}
