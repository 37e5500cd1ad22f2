package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// answers are what a project and its copy show alike. A path with %s is asked of every issue or
// merge request.
var answers = []string{
	"", "/labels?with_counts=true", "/milestones", "/releases", "/members", "/protected_branches", "/protected_tags",
	"/push_rule", "/approval_rules", "/pipelines?sort=asc", "/jobs", "/repository/tags", "/repository/branches",
	"/issues?sort=asc&order_by=created_at", "/merge_requests?sort=asc&view=simple", "/error_tracking/settings",
	"/issues%s", "/issues%s/discussions", "/issues%s/links", "/issues%s/closed_by", "/issues%s/related_merge_requests",
	"/issues%s/award_emoji", "/issues%s/resource_label_events",
	"/merge_requests%s", "/merge_requests%s/discussions", "/merge_requests%s/closes_issues",
	"/merge_requests%s/commits", "/merge_requests%s/diffs", "/merge_requests%s/reviewers", "/merge_requests%s/pipelines",
	"/merge_requests%s/resource_state_events", "/merge_requests%s/resource_milestone_events",
}

// otherwise are the fields of answers that a copy has in ways of its own.
var otherwise = []string{
	"id", "path", "web_url", "references", "_links", "sources", "next_run_at", "prepared_at",
	"merge_status", "detailed_merge_status", "has_conflicts", // found out again
}

// elsewhere matches fields with ids and addresses.
var elsewhere = regexp.MustCompile(`_(id|url|to_repo)$`)

// requireSameAnswers compares what the project and a copy of it show.
func (r *randomProject) requireSameAnswers(copied int64) {
	r.Helper()
	for _, path := range answers {
		paths := []string{path}
		if strings.Contains(path, "%s") {
			paths = nil
			for _, thing := range slices.Concat(r.issues, r.requests) {
				kind, _, _ := strings.Cut(path, "%s")
				if iid, ok := strings.CutPrefix(thing, kind); ok {
					paths = append(paths, fmt.Sprintf(path, iid))
				}
			}
		}
		for _, p := range paths {
			if differ := difference(r.answer(r.id, p), r.answer(copied, p)); differ != "" {
				r.Errorf("GET %s differs:\n%s", p, differ)
			}
		}
	}
}

// answer returns what a project shows, without ids and addresses, a value a line.
func (r *randomProject) answer(id int64, path string) string {
	r.Helper()
	var value any
	query := "?"
	if strings.Contains(path, "?") {
		query = "&"
	}
	reply := r.s.Do(r, r.s.RootToken, "GET", fmt.Sprintf("/projects/%d%s%sper_page=100", id, path, query), nil)
	if reply.Status == 404 {
		return "404"
	}
	reply.Into(r, &value)
	if object, ok := value.(map[string]any); ok && (path == "" || path == "/push_rule") {
		for _, name := range []string{"name", "name_with_namespace", "path_with_namespace", "created_at", "updated_at",
			"last_activity_at", "import_status", "import_type", "creator", "statistics", "runners_token"} {
			delete(object, name)
		}
	}
	if list, ok := value.([]any); ok { // what is said about epics stays with these
		value = slices.DeleteFunc(list, func(e any) bool {
			text, _ := json.Marshal(e)
			return strings.Contains(string(text), "epic space") && strings.Contains(string(text), `"system":true`)
		})
	}
	var tidy func(any)
	tidy = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, e := range v {
				tidy(e)
			}
		case map[string]any:
			for name, e := range v {
				if slices.Contains(otherwise, name) || elsewhere.MatchString(name) {
					delete(v, name)
				} else {
					tidy(e)
				}
			}
		}
	}
	tidy(value)
	text, err := json.MarshalIndent(value, "", " ")
	require.NoError(r, err)
	return strings.NewReplacer("`@dave`", "@dave", "space/copy", "space/random").Replace(string(text))
}
