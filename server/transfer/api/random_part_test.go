package api_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"hew/server/servertest"
)

// randomSteps each add something to a random project.
var randomSteps = []func(*randomProject){
	(*randomProject).addLabel, (*randomProject).addMilestone, (*randomProject).addCommit, (*randomProject).addIssue,
	(*randomProject).addIssue, (*randomProject).changeIssue, (*randomProject).changeIssue, (*randomProject).talk,
	(*randomProject).talk, (*randomProject).react, (*randomProject).addRequest, (*randomProject).discuss,
	(*randomProject).discuss, (*randomProject).changeRequest, (*randomProject).changeRequest,
	(*randomProject).addRelease,
	(*randomProject).protect, (*randomProject).addPipeline, (*randomProject).addSchedule, (*randomProject).addFile,
	(*randomProject).addSnippet, (*randomProject).commentCommit, (*randomProject).changeSettings,
	(*randomProject).addRule, (*randomProject).linkIssues, (*randomProject).spend,
}

func (r *randomProject) addLabel() {
	name := r.name(pickOne(r, []string{"label", "kind::label", "größe"}))
	body := map[string]any{"name": name, "color": fmt.Sprintf("#%06x", r.random.IntN(1<<24)), "description": r.text()}
	if r.maybe(2) {
		body["priority"] = r.random.IntN(5)
	}
	r.by("POST", "/labels", body)
	r.labels = append(r.labels, name)
}

func (r *randomProject) addMilestone() {
	days := []string{r.day(), r.day()}
	slices.Sort(days)
	body := map[string]any{"title": r.name("milestone"), "description": r.text()}
	if r.maybe(2) {
		body["start_date"], body["due_date"] = days[0], days[1]
	}
	made := r.by("POST", "/milestones", body)
	if r.maybe(3) {
		r.by("PUT", fmt.Sprintf("/milestones/%d", made.number()), map[string]any{"state_event": "close"})
	}
	r.milestones = append(r.milestones, made.number())
}

// addCommit adds a file, changes one, and removes or renames one now and then.
func (r *randomProject) addCommit() {
	path := r.name("dir/file")
	actions := []any{map[string]any{"action": "create", "file_path": path, "content": lines(20) + r.text() + "\n"}}
	if last := len(r.files) - 1; last > 0 && r.maybe(2) {
		actions = append(actions, map[string]any{"action": "update", "file_path": r.files[last], "content": r.text()})
	}
	if r.maybe(4) {
		actions = append(actions, map[string]any{"action": "create", "file_path": r.name("binary"), "encoding": "base64",
			"content": base64.StdEncoding.EncodeToString(noise(300, r.name("noise")))})
	}
	made := r.by("POST", "/repository/commits", map[string]any{
		"branch": "main", "commit_message": "Add " + path + "\n\n" + r.text(), "actions": actions})
	r.files, r.commits = append(r.files, path), append(r.commits, made.ID.(string))
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, "line", i)
	}
	return b.String()
}

func (r *randomProject) addIssue() {
	body := map[string]any{"title": r.name("Issue"), "description": r.text(),
		"issue_type": pickOne(r, []string{"issue", "issue", "incident", "test_case", "task"}),
		"labels":     pickOne(r, r.labels) + "," + pickOne(r, r.labels)}
	if r.maybe(3) {
		body["confidential"] = true
	}
	if r.maybe(2) {
		body["assignee_ids"] = []int64{r.people[1+r.random.IntN(2)].ID}
	}
	if body["issue_type"] == "issue" {
		body["weight"], body["due_date"] = r.random.IntN(9), r.day()
		body["milestone_id"] = pickOne(r, r.milestones)
		if r.maybe(3) {
			body["epic_id"] = pickOne(r, r.epics)
		}
	}
	r.issues = append(r.issues, fmt.Sprint("/issues/", r.by("POST", "/issues", body).IID))
}

func (r *randomProject) changeIssue() {
	r.by("PUT", pickOne(r, r.issues), pickOne(r, []map[string]any{
		{"state_event": "close"}, {"discussion_locked": true}, {"description": r.text()}, {"title": r.name("Renamed")},
		{"add_labels": pickOne(r, r.labels)}, {"remove_labels": pickOne(r, r.labels)}, {"due_date": r.day()},
		{"health_status": "at_risk"}, {"confidential": true}, {"assignee_ids": []int64{r.people[1].ID}},
		{"state_event": "close", "add_labels": pickOne(r, r.labels)},
	}))
}

// talk comments on an issue or merge request, in a thread or not, and edits what it said.
func (r *randomProject) talk() {
	on := pickOne(r, slices.Concat(r.issues, r.requests))
	body := map[string]any{"body": r.text()}
	if strings.HasPrefix(on, "/issues") && r.maybe(4) {
		body["internal"] = true
	}
	if r.maybe(2) {
		thread := r.must("POST", on+"/discussions", body)
		for range r.random.IntN(3) {
			r.must("POST", fmt.Sprintf("%s/discussions/%v/notes", on, thread.ID), map[string]any{"body": r.text()})
		}
		return
	}
	made := r.must("POST", on+"/notes", body)
	note := fmt.Sprintf("%s/notes/%d", on, made.number())
	if r.maybe(3) {
		r.must("PUT", note, map[string]any{"body": r.text()})
	}
	if r.maybe(3) {
		r.by("POST", note+"/award_emoji", map[string]any{"name": "tada"})
	}
}

// react may be refused: nobody reacts twice.
func (r *randomProject) react() {
	r.send("POST", pickOne(r, slices.Concat(r.issues, r.requests))+"/award_emoji",
		map[string]any{"name": pickOne(r, []string{"thumbsup", "thumbsdown", "rocket"})})
}

func (r *randomProject) linkIssues() {
	from, to := pickOne(r, r.issues), pickOne(r, r.issues)
	r.send("POST", from+"/links", map[string]any{ // refused for the same issue, and twice
		"target_project_id": r.id, "target_issue_iid": strings.TrimPrefix(to, "/issues/"),
		"link_type": pickOne(r, []string{"relates_to", "blocks", "is_blocked_by"})})
}

func (r *randomProject) spend() {
	on := pickOne(r, slices.Concat(r.issues, r.requests))
	r.must("POST", on+"/time_estimate", map[string]any{"duration": "1d2h"})
	r.by("POST", on+"/add_spent_time", map[string]any{"duration": "90m", "summary": r.text()[:5]})
}

func (r *randomProject) addRelease() {
	tag := strings.ReplaceAll(r.name("v"), " ", "")
	r.by("POST", "/releases", map[string]any{"tag_name": tag, "ref": "main", "name": r.name("Release"),
		"description": r.text(), "tag_message": "A tag", "assets": map[string]any{"links": []any{map[string]any{
			"name": "docs", "url": "https://docs.example.com/" + tag, "link_type": "runbook",
			"direct_asset_path": "/" + tag}}}})
	r.tags = append(r.tags, tag)
}

func (r *randomProject) protect() {
	if r.maybe(2) {
		r.must("POST", "/protected_branches", map[string]any{"name": strings.ReplaceAll(r.name("b"), " ", "-") + "/*",
			"push_access_level": pickOne(r, []int{0, 30, 40}), "merge_access_level": pickOne(r, []int{30, 40}),
			"allow_force_push": r.maybe(2), "code_owner_approval_required": r.maybe(2),
			"allowed_to_push": []any{map[string]any{"user_id": r.people[1].ID}}})
		return
	}
	r.must("POST", "/protected_tags", map[string]any{"name": strings.ReplaceAll(r.name("t"), " ", "-") + "*",
		"create_access_level": pickOne(r, []int{0, 30, 40})})
}

func (r *randomProject) addRule() {
	r.must("POST", "/approval_rules", map[string]any{"name": r.name("rule"), "approvals_required": r.random.IntN(3),
		"user_ids": []int64{r.people[1+r.random.IntN(2)].ID}})
	r.send("POST", "/push_rule", map[string]any{ // refused the second time
		"deny_delete_tag": r.maybe(2), "max_file_size": r.random.IntN(99), "author_email_regex": "example"})
}

// definition is a pipeline that only the API starts.
const definition = `workflow: {rules: [{if: $CI_PIPELINE_SOURCE == "api"}]}
stages: [build, test]
compile: {stage: build, script: [make]}
unit tests: {stage: test, script: [make test], allow_failure: true, parallel: 2}
down: {stage: test, trigger: space/other}
`

// addPipeline adds a pipeline that is canceled at once, or commit statuses, which make one.
func (r *randomProject) addPipeline() {
	if r.maybe(2) {
		r.send("POST", "/repository/files/.gitlab-ci.yml", map[string]any{ // it is there the second time
			"branch": "main", "commit_message": "Test", "content": definition})
		var made servertest.Made
		if reply := r.send("POST", "/pipeline", map[string]any{"ref": "main"}); reply.Status == 201 {
			reply.Into(r, &made)
			r.must("POST", fmt.Sprintf("/pipelines/%d/cancel", made.ID), nil)
		}
		return
	}
	r.by("POST", "/statuses/"+pickOne(r, r.commits), map[string]any{"ref": "main", "name": r.name("check"),
		"state": pickOne(r, []string{"success", "failed", "canceled"}), "description": "Said",
		"target_url": "https://ci.example.com/1", "coverage": 12.5})
}

// addSchedule is refused when there are ten.
func (r *randomProject) addSchedule() {
	r.send("POST", "/pipeline_schedules", map[string]any{"description": r.name("schedule"), "ref": "main",
		"cron": pickOne(r, []string{"0 4 * * *", "30 1 * * 0"}), "cron_timezone": pickOne(r, []string{"UTC", "Europe/Berlin"})})
}

// addFile adds an upload that an issue links to, or a page of the wiki.
func (r *randomProject) addFile() {
	if r.maybe(2) {
		r.must("POST", "/wikis", map[string]any{"title": r.name("page"), "content": r.text()})
		return
	}
	made := r.must("POST", "/uploads", servertest.Upload{
		Field: "file", Name: r.name("file") + ".bin", Content: noise(r.random.IntN(5000), r.name("noise"))})
	r.by("POST", "/issues", map[string]any{"title": r.name("File"), "description": made.Markdown})
}

func (r *randomProject) addSnippet() {
	made := r.must("POST", "/snippets", map[string]any{"title": r.name("Snippet"), "description": "How",
		"visibility": "private", "files": []any{
			map[string]any{"file_path": "a.md", "content": r.text()},
			map[string]any{"file_path": "b c.md", "content": r.text()}}})
	r.must("POST", fmt.Sprintf("/snippets/%d/notes", made.number()), map[string]any{"body": r.text()})
}

func (r *randomProject) commentCommit() {
	at := "/repository/commits/" + pickOne(r, r.commits)
	r.by("POST", at+"/comments", map[string]any{"note": r.text()})
	if r.maybe(2) {
		r.must("POST", at+"/discussions", map[string]any{"body": r.text()})
	}
}

func (r *randomProject) changeSettings() {
	if r.maybe(5) {
		r.must("PUT", "/error_tracking/settings", map[string]any{"active": r.maybe(2), "integrated": true})
		r.must("PUT", "", servertest.Upload{Field: "avatar", Name: "logo.png", Content: picture(r)})
	}
	r.must("PUT", "", pickOne(r, []map[string]any{
		{"merge_method": pickOne(r, []string{"merge", "rebase_merge", "ff"})}, {"squash_option": "always"},
		{"topics": []string{"one", r.name("topic")}}, {"issues_template": r.text()}, {"ci_config_path": "ci/a.yml"},
		{"build_timeout": 600 + r.random.IntN(9000)}, {"wiki_access_level": "private"}, {"lfs_enabled": r.maybe(2)},
		{"only_allow_merge_if_all_discussions_are_resolved": r.maybe(2)}, {"description": r.text()},
		{"ci_default_git_depth": r.random.IntN(50)}, {"public_jobs": r.maybe(2)}, {"build_git_strategy": "clone"},
		{"container_expiration_policy_attributes": map[string]any{"enabled": true, "cadence": "7d", "keep_n": 10,
			"name_regex": ".*"}}, {"auto_devops_deploy_strategy": "manual"}, {"merge_commit_template": "%{title}"},
		{"suggestion_commit_message": url.QueryEscape(r.text())},
	}))
}
