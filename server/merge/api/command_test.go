package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/quick"
	"hew/server/servertest"
)

// A commandRow is a text on a merge request, and what its answer says.
type commandRow struct{ text, said string }

// commandRows has a row for each quick action of merge requests and each other name of it (more
// §5). They are run in order; $me stands for the name of the caller.
var commandRows = []commandRow{
	{"/close", "Closed this merge request."},
	{"/reopen", "Reopened this merge request."},
	{"/title Plan B", `Changed the title to "Plan B".`},
	{"/draft", "Marked this merge request as a draft."},
	{"/ready", "Marked this merge request as ready."},
	{"/label ~bug", "Added ~bug label."},
	{`/labels ~"to do"`, `Added ~"to do" label.`},
	{"/unlabel ~bug", "Removed ~bug label."},
	{"/remove_label", "Removed all labels."},
	{"/relabel ~bug", "Replaced all labels with ~bug label."},
	{"/assign me", "Assigned @$me."},
	{"/reassign @$me", "Changed assignee to @$me."},
	{"/unassign", "Removed assignee @$me."},
	{"/assign_reviewer @$me", "Assigned @$me as reviewer."},
	{"/unassign_reviewer", "Removed reviewer @$me."},
	{"/reviewer me", "Assigned @$me as reviewer."},
	{"/reassign_reviewer me", "Changed reviewer to @$me."},
	{"/remove_reviewer me", "Removed reviewer @$me."},
	{"/request_review me", "Assigned @$me as reviewer."},
	{"/milestone %m", "Set the milestone to %m."},
	{"/remove_milestone", "Removed %m milestone."},
	{"/copy_metadata !2", "Copied labels and milestone from !2."},
	{"/copy_metadata #1", "Copied labels and milestone from #1."},
	{"/estimate 1h", "Set time estimate to 1h."},
	{"/estimate_time 2h", "Set time estimate to 2h."},
	{"/remove_estimate", "Removed time estimate."},
	{"/estimate 1h", "Set time estimate to 1h."},
	{"/remove_time_estimate", "Removed time estimate."},
	{"/spend 1h", "Added 1h spent time."},
	{"/spent -30m", "Subtracted 30m spent time."},
	{"/spend_time 1h", "Added 1h spent time."},
	{"/remove_time_spent", "Removed spent time."},
	{"/lock", "Locked the discussion."},
	{"/unlock", "Unlocked the discussion."},
	{"/todo", "Added a to-do item."},
	{"/done", "Marked to-do item as done."},
	{"/unsubscribe", "Unsubscribed from notifications."},
	{"/subscribe", "Subscribed to notifications."},
	{"/react :x:", "Toggled :x: emoji reaction."},
	{"/award :x:", "Toggled :x: emoji reaction."},
	{"/target_branch stable", "Set target branch to stable."},
	{"/target_branch main", "Set target branch to main."},
	{"/approve", "Approved the current merge request."},
	{"/unapprove", "Unapproved the current merge request."},
	{"/submit_review", "Submitted the current review."},
	{"/submit_review requested_changes", "Submitted the current review."},
	{"/submit_review approve", "Submitted the current review."},
	{"/rebase", "Scheduled a rebase of branch topic."},
	{"/merge", "Merged this merge request."},
}

// answered is what an answer says about quick actions.
type answered struct {
	Summary []string       `json:"summary"`
	Changes map[string]any `json:"commands_changes"`
	Message string         `json:"message"`
	Body    string         `json:"body"`
}

// say writes a note on a merge request as a user.
func (d desk) say(by servertest.Persona, iid int, text string) (status int, a answered) {
	d.t.Helper()
	reply := d.s.Do(d.t, by.Token, "POST", fmt.Sprintf("/projects/%d/merge_requests/%d/notes", d.project, iid),
		map[string]any{"body": text})
	require.NoError(d.t, json.Unmarshal(reply.Body, &a), "%s", reply.Body)
	return reply.Status, a
}

// Every quick action of the table does what it says, and none is without a row here.
func TestEveryCommand(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	require.Less(t, d.api("POST", "approvals", map[string]any{"merge_requests_author_approval": true}).Status, 300)
	for _, name := range []string{"bug", "to do"} {
		d.api("POST", "labels", map[string]any{"name": name, "color": "red"})
	}
	d.api("POST", "milestones", map[string]any{"title": "m"})
	d.api("POST", "issues", map[string]any{"title": "Issue", "labels": "bug"})
	d.api("POST", "repository/branches?branch=stable&ref=main", nil)
	d.commit("topic", "main", "a", "1")
	d.commit("other", "main", "b", "1")
	r := d.open("topic")
	d.open("other")
	tested := map[string]bool{}
	for _, row := range commandRows {
		name, _, _ := strings.Cut(strings.TrimPrefix(row.text, "/"), " ")
		tested[name] = true
		me := strings.NewReplacer("$me", nameOf(t))
		status, a := d.say(d.alice, r.IID, me.Replace(row.text))
		require.Equal(t, 202, status, "%s: %s", row.text, a.Message)
		require.Equal(t, []string{me.Replace(row.said)}, a.Summary, row.text)
		require.NotNil(t, a.Changes, row.text)
		if name == "rebase" {
			d.get(r.IID)
		}
	}
	for _, c := range quick.For(quick.All, quick.MergeRequest) {
		for _, name := range append(c.Aliases, c.Name) {
			require.True(t, tested[name] || c.Appends != "", "no row for /%s", name)
		}
	}
	require.Equal(t, "merged", d.get(r.IID).State)
	for _, text := range []string{"/merge", "/rebase", "/approve", "/close", "/reopen", "/target_branch stable"} {
		status, a := d.say(d.alice, r.IID, text)
		require.Equal(t, 400, status, "%s of a merged one: %v", text, a)
	}
}

// Quick actions need the rights that the API asks for the same; what else a text has is kept.
func TestCommandRights(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]any{"visibility": "public"})
	reporter, stranger := d.s.User(t, nameOf(t)+"-reporter"), d.s.User(t, nameOf(t)+"-stranger")
	d.api("POST", "members", map[string]any{"user_id": reporter.ID, "access_level": 20})
	d.api("POST", "labels", map[string]any{"name": "bug", "color": "red"})
	d.api("POST", "repository/branches?branch=stable&ref=main", nil)
	d.commit("topic", "main", "a", "1")
	r := d.open("topic")
	for _, by := range []servertest.Persona{reporter, stranger} {
		for text, name := range map[string]string{
			"/merge": "merge", "/rebase": "rebase", "/draft": "draft", "/close": "close", "/title X": "title",
			"/target_branch stable": "target_branch", "/label ~bug": "label", "/assign me": "assign",
			"/reviewer me": "assign_reviewer", "/lock": "lock", "/estimate 1h": "estimate", "/spend 1h": "spend",
		} {
			status, a := d.say(by, r.IID, text)
			require.Equal(t, 400, status, text)
			require.Equal(t, "400 Bad request - Could not apply "+name+" command.", a.Message)
		}
		for _, text := range []string{"/todo", "/subscribe", "/react :x:"} {
			status, a := d.say(by, r.IID, text)
			require.Contains(t, []int{202, 400}, status, "%s: %v", text, a)
		}
	}
	status, a := d.say(reporter, r.IID, "Please\n/merge\n/todo")
	require.Equal(t, 201, status)
	require.Equal(t, "Please", a.Body)
	require.Equal(t, map[string]any{"todo_event": "add"}, a.Changes)
	require.Equal(t, "opened", d.get(r.IID).State)

	status, a = d.say(d.alice, r.IID, "/draft\n/merge")
	require.Equal(t, 202, status)
	require.Equal(t, []string{"Marked this merge request as a draft. Could not apply merge command."}, a.Summary)
	reply := d.api("POST", fmt.Sprintf("merge_requests/%d/notes", r.IID), map[string]any{
		"body": "/ready\n/merge", "merge_request_diff_head_sha": strings.Repeat("0", 40),
	})
	require.Contains(t, string(reply.Body), "Branch has been updated since the merge was requested.")
	require.Equal(t, "opened", d.get(r.IID).State)
	status, a = d.say(d.alice, r.IID, "/merge\n/rebase")
	require.Equal(t, 202, status)
	require.Equal(t, []string{"Could not apply merge command. Scheduled a rebase of branch topic."}, a.Summary)
	d.get(r.IID)
	status, a = d.say(d.alice, r.IID, "Good\n/merge\n/label ~bug")
	require.Equal(t, 201, status)
	require.Contains(t, a.Changes, "merge")
	require.Equal(t, "merged", d.get(r.IID).State)
}

// Descriptions and drafts run quick actions, too.
func TestCommandsOfDescriptions(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.api("POST", "labels", map[string]any{"name": "bug", "color": "red"})
	d.commit("topic", "main", "a", "1")
	var r struct {
		IID         int
		Title       string
		Description string
		State       string
		Labels      []string
		Draft       bool
		Stats       struct {
			Spent int `json:"total_time_spent"`
		} `json:"time_stats"`
	}
	d.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "Topic",
		"description": "Text\n/label ~bug\n/draft\n/spend 1h\n/merge\n/approve",
	}).Into(t, &r)
	require.Equal(t, "Text", r.Description)
	require.Equal(t, []string{"bug"}, r.Labels)
	require.True(t, r.Draft)
	require.Equal(t, 3600, r.Stats.Spent)
	one := fmt.Sprintf("merge_requests/%d", r.IID)
	for _, text := range []string{"First", "/ready", "/merge\n/reopen", "Last\n/unlabel ~bug\n/submit_review"} {
		require.Equal(t, 201, d.api("POST", one+"/draft_notes", map[string]any{"note": text}).Status)
	}
	require.Equal(t, 204, d.api("POST", one+"/draft_notes/bulk_publish", nil).Status)
	d.api("GET", one, nil).Into(t, &r)
	require.Equal(t, "merged", r.State)
	require.Empty(t, r.Labels)
	var notes []struct {
		Body   string
		System bool
	}
	d.api("GET", one+"/notes?sort=asc&activity_filter=only_comments", nil).Into(t, &notes)
	require.Len(t, notes, 2)

	d.commit("next", "main", "n", "1")
	next := d.open("next")
	d.api("PUT", fmt.Sprintf("merge_requests/%d", next.IID), map[string]any{"description": "Now\n/merge"}).Into(t, &r)
	require.Equal(t, "merged", r.State)
	require.Equal(t, "Now", r.Description)
}

// A pushed commit that is not to be merged as it is makes the merge request a draft, once.
func TestDraftByCommit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	push := func(branch, title, file string) string {
		var c struct{ ID string }
		d.api("POST", "repository/commits", map[string]any{
			"branch": branch, "commit_message": title,
			"actions": []any{map[string]any{"action": "create", "file_path": file, "content": "x"}},
		}).Into(t, &c)
		return c.ID
	}
	for n, title := range []string{"fixup! Write a", "squash! Write a", "draft: More", "[Draft] More", "(DRAFT) more"} {
		branch := fmt.Sprint("topic-", n)
		d.commit(branch, "main", branch, "1")
		r := d.open(branch)
		push(branch, "A fixup! of nothing", "first-"+branch)
		require.Equal(t, "Merge "+branch, d.get(r.IID).Title)
		id := push(branch, title, "second-"+branch)
		require.Equal(t, "Draft: Merge "+branch, d.get(r.IID).Title)
		require.Equal(t, "draft_status", d.get(r.IID).Status)
		notes := string(d.api("GET", fmt.Sprintf("merge_requests/%d/notes", r.IID), nil).Body)
		require.Contains(t, notes, "marked this merge request as **draft** from "+id[:8])
		status, _ := d.say(d.alice, r.IID, "/ready")
		require.Equal(t, 202, status)
		push(branch, "Go on", "third-"+branch)
		require.Equal(t, "Merge "+branch, d.get(r.IID).Title)
	}
}

// A list asks for what is not known of the merge requests of projects that the caller develops.
func TestRecheckOfList(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]any{"visibility": "public"})
	stranger := d.s.User(t, nameOf(t)+"-stranger")
	d.commit("topic", "main", "a", "1")
	d.open("topic")
	d.s.Drain(t)
	d.commit("main", "", "b", "1")
	list := func(by servertest.Persona) string {
		var found []request
		d.s.Do(t, by.Token, "GET", fmt.Sprintf("/projects/%d/merge_requests?with_merge_status_recheck=true", d.project),
			nil).Into(t, &found)
		d.s.Drain(t)
		return found[0].MergeStatus
	}
	for _, by := range []servertest.Persona{stranger, stranger, d.alice} {
		require.Equal(t, "unchecked", list(by))
	}
	require.Equal(t, "can_be_merged", list(stranger))
}

// Quick actions on a merge request from a fork: its author may not merge it, others may.
func TestCommandsOnFork(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]any{"visibility": "public"})
	bob := d.s.User(t, nameOf(t)+"-fork")
	fork := d
	fork.alice = bob
	var p struct{ ID int }
	d.s.Do(t, bob.Token, "POST", fmt.Sprintf("/projects/%d/fork", d.project), nil).Into(t, &p)
	fork.project = p.ID
	d.s.Drain(t)
	fork.commit("topic", "main", "a", "1")
	var r request
	fork.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "From a fork", "target_project_id": d.project,
		"description": "/draft\n/label ~bug\n/assign me",
	}).Into(t, &r)
	require.Equal(t, "Draft: From a fork", r.Title)
	d.get(r.IID)
	for text, status := range map[string]int{"/ready": 202, "/merge": 400, "/approve": 400, "/label ~bug": 400} {
		got, a := d.say(bob, r.IID, text)
		require.Equal(t, status, got, "%s: %v", text, a)
	}
	status, _ := d.say(bob, r.IID, "/close")
	require.Equal(t, 202, status)
	status, a := d.say(d.alice, r.IID, "/reopen\n/merge")
	require.Equal(t, 202, status, "%v", a)
	require.Equal(t, []string{"Reopened this merge request. Merged this merge request."}, a.Summary)
	require.Equal(t, "merged", d.get(r.IID).State)
}
