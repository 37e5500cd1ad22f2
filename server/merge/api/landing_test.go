package api_test

import (
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

var pairs = flag.Int("pairs", 8, "how many pairs of merges TestMergeAtOnce has race")

// desk is a project of alice, and what she does with its merge requests through the API.
type desk struct {
	t       testing.TB
	s       *servertest.Server
	alice   servertest.Persona
	project int
}

// request is a merge request as the tests read it.
type request struct {
	ID            int
	IID           int `json:"iid"`
	State         string
	Title         string
	SHA           string
	MergeStatus   string  `json:"merge_status"`
	Status        string  `json:"detailed_merge_status"`
	MergeError    *string `json:"merge_error"`
	MergeCommit   *string `json:"merge_commit_sha"`
	SquashCommit  *string `json:"squash_commit_sha"`
	TargetBranch  string  `json:"target_branch"`
	SourceProject int     `json:"source_project_id"`
	Squash        bool
}

// nameOf returns a name that no other test uses.
func nameOf(t testing.TB) string {
	return strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
}

func newDesk(t testing.TB, settings map[string]any) desk {
	d := desk{t: t, s: servertest.Start(t)}
	d.alice = d.s.User(t, nameOf(t))
	body := map[string]any{"name": "site", "path": nameOf(t), "initialize_with_readme": true}
	for k, v := range settings {
		body[k] = v
	}
	var p struct{ ID int }
	d.s.Do(t, d.alice.Token, "POST", "/projects", body).Into(t, &p)
	d.project = p.ID
	return d
}

// api sends a request about the project.
func (d desk) api(method, path string, body any) servertest.Reply {
	return d.s.Do(d.t, d.alice.Token, method, fmt.Sprintf("/projects/%d/%s", d.project, path), body)
}

// commit writes a file on a branch, which begins at another one unless it exists.
func (d desk) commit(branch, start, file, content string) string {
	d.t.Helper()
	body := map[string]any{
		"branch": branch, "commit_message": "Write " + file,
		"actions": []any{map[string]any{"action": "create", "file_path": file, "content": content}},
	}
	if start != "" {
		body["start_branch"] = start
	}
	var c struct{ ID string }
	reply := d.api("POST", "repository/commits", body)
	require.Equal(d.t, 201, reply.Status, "%s", reply.Body)
	reply.Into(d.t, &c)
	return c.ID
}

// open makes a merge request of a branch into main.
func (d desk) open(branch string) (r request) {
	d.t.Helper()
	reply := d.api("POST", "merge_requests", map[string]any{
		"source_branch": branch, "target_branch": "main", "title": "Merge " + branch,
	})
	require.Equal(d.t, 201, reply.Status, "%s", reply.Body)
	reply.Into(d.t, &r)
	return r
}

// get returns a merge request after all jobs have run.
func (d desk) get(iid int) (r request) {
	d.t.Helper()
	d.s.Drain(d.t)
	d.api("GET", fmt.Sprintf("merge_requests/%d", iid), nil)
	d.s.Drain(d.t)
	d.api("GET", fmt.Sprintf("merge_requests/%d", iid), nil).Into(d.t, &r)
	return r
}

func (d desk) accept(iid int, body any) servertest.Reply {
	return d.api("PUT", fmt.Sprintf("merge_requests/%d/merge", iid), body)
}

// update changes a merge request and returns the status of the answer.
func (d desk) update(iid int, body any) int {
	d.t.Helper()
	return d.api("PUT", fmt.Sprintf("merge_requests/%d", iid), body).Status
}

// parents returns the parents of the newest commit of a branch.
func (d desk) parents(branch string) (parents []string) {
	d.t.Helper()
	var c struct {
		ParentIDs []string `json:"parent_ids"`
	}
	d.api("GET", "repository/commits/"+branch, nil).Into(d.t, &c)
	return c.ParentIDs
}

func TestMergeMethods(t *testing.T) {
	t.Parallel()
	for method, c := range map[string]struct {
		diverged      int // the answer where main has moved on
		parents       int // of the new head of main
		mergesNothing bool
	}{
		"merge":        {200, 2, false},
		"rebase_merge": {422, 2, false},
		"ff":           {422, 1, true},
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, map[string]any{"merge_method": method})
			d.commit("one", "main", "one", "1")
			two := d.commit("two", "main", "two", "2")
			first, second := d.open("one"), d.open("two")
			require.Equal(t, "mergeable", d.get(first.IID).Status)
			require.Equal(t, 200, d.accept(first.IID, nil).Status)
			r := d.get(first.IID)
			require.Equal(t, "merged", r.State)
			require.Equal(t, c.mergesNothing, r.MergeCommit == nil)
			require.Len(t, d.parents("main"), c.parents)

			reply := d.accept(second.IID, map[string]any{"sha": two})
			require.Equal(t, c.diverged, reply.Status, "%s", reply.Body)
			if c.diverged == 200 {
				return
			}
			require.Equal(t, "need_rebase", d.get(second.IID).Status)
			require.Equal(t, 202, d.api("PUT", fmt.Sprintf("merge_requests/%d/rebase", second.IID), nil).Status)
			r = d.get(second.IID)
			require.Equal(t, "mergeable", r.Status)
			require.NotEqual(t, two, r.SHA)
			require.Equal(t, 409, d.accept(second.IID, map[string]any{"sha": two}).Status)
			require.Equal(t, 200, d.accept(second.IID, map[string]any{"sha": r.SHA}).Status)
		})
	}
}

func TestSquash(t *testing.T) {
	t.Parallel()
	for option, c := range map[string]struct{ asked, squashed bool }{
		"never": {true, false}, "always": {false, true}, "default_on": {false, false}, "default_off": {true, true},
	} {
		t.Run(option, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, map[string]any{"squash_option": option})
			d.commit("topic", "main", "a", "1")
			d.commit("topic", "", "b", "2")
			r := d.open("topic")
			require.Equal(t, option == "default_on" || option == "always", r.Squash)
			require.Equal(t, 200, d.accept(r.IID, map[string]any{"squash": c.asked}).Status)
			require.Equal(t, c.squashed, d.get(r.IID).SquashCommit != nil)
		})
	}
}

// Of merges and pushes at once, each merge is whole or did not happen.
func TestMergeAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	var list []request
	for n := range *pairs {
		branch := fmt.Sprint("topic-", n)
		d.commit(branch, "main", branch, "1")
		list = append(list, d.open(branch))
	}
	var wg sync.WaitGroup
	statuses := make([][3]int, *pairs)
	for n, r := range list {
		for k := range 2 {
			wg.Go(func() {
				statuses[n][k] = d.accept(r.IID, map[string]any{"should_remove_source_branch": true}).Status
			})
		}
		wg.Go(func() {
			statuses[n][2] = d.api("POST", "repository/commits", map[string]any{
				"branch": fmt.Sprint("topic-", n), "commit_message": "More",
				"actions": []any{map[string]any{"action": "create", "file_path": fmt.Sprint("more-", n), "content": "x"}},
			}).Status
		})
	}
	wg.Wait()
	d.s.Drain(t)
	for n, r := range list {
		now := d.get(r.IID)
		merges := 0
		for _, status := range statuses[n][:2] {
			if status == 200 {
				merges++
			}
			require.Contains(t, []int{200, 405, 409, 422}, status)
		}
		require.Contains(t, []int{201, 400}, statuses[n][2])
		require.LessOrEqual(t, merges, 1)
		require.Equal(t, merges == 1, now.State == "merged", "%+v %v", now, statuses[n])
		found := d.api("GET", fmt.Sprintf("repository/files/topic-%d?ref=main", n), nil).Status
		require.Equal(t, merges == 1, found == 200)
		if merges == 1 {
			require.NotNil(t, now.MergeCommit)
		}
	}
}

// A push makes the merge request bring what it pushed; a target branch that gets the commits in
// another way merges it.
func TestPushes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("topic", "main", "a", "1")
	r := d.open("topic")
	next := d.commit("topic", "", "b", "2")
	require.Equal(t, next, d.get(r.IID).SHA)
	require.Equal(t, "mergeable", d.get(r.IID).Status)

	d.commit("main", "", "b", "another")
	require.Equal(t, "conflict", d.get(r.IID).Status)
	var todos []struct {
		Action string `json:"action_name"`
		Type   string `json:"target_type"`
	}
	d.s.Do(t, d.alice.Token, "GET", "/todos?action=unmergeable", nil).Into(t, &todos)
	require.Len(t, todos, 1)
	require.Equal(t, "MergeRequest", todos[0].Type)
	require.Equal(t, 422, d.accept(r.IID, nil).Status)
	require.Equal(t, 202, d.api("PUT", fmt.Sprintf("merge_requests/%d/rebase", r.IID), nil).Status)
	now := d.get(r.IID)
	require.Equal(t, next, now.SHA)
	require.Equal(t, "Rebase failed: Rebase locally, resolve all conflicts, then push the branch.", *now.MergeError)

	d.commit("other", "main", "c", "3")
	other, later := d.open("other"), request{}
	d.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "other", "title": "Stacked",
	}).Into(t, &later)
	require.Equal(t, 200, d.accept(other.IID, map[string]any{"should_remove_source_branch": true}).Status)
	require.Equal(t, 404, d.api("GET", "repository/branches/other", nil).Status)
	require.Equal(t, "other", d.get(later.IID).TargetBranch, "main has a merge request of topic already")

	d.commit("lower", "main", "lower", "1")
	d.commit("upper", "lower", "upper", "2")
	lower, upper := d.open("lower"), request{}
	d.api("POST", "merge_requests", map[string]any{
		"source_branch": "upper", "target_branch": "lower", "title": "Upper",
	}).Into(t, &upper)
	require.Equal(t, 200, d.accept(lower.IID, map[string]any{"should_remove_source_branch": true}).Status)
	upper = d.get(upper.IID)
	require.Equal(t, "main", upper.TargetBranch)
	require.Equal(t, "mergeable", upper.Status)
	require.Equal(t, 200, d.accept(upper.IID, nil).Status)

	require.Equal(t, 204, d.api("DELETE", "repository/branches/topic", nil).Status)
	require.Equal(t, "broken_status", d.get(r.IID).Status)
	require.Equal(t, 200, d.update(r.IID, map[string]any{"state_event": "close"}))
	require.Equal(t, 422, d.update(r.IID, map[string]any{"state_event": "reopen"}))
}

func TestFork(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]any{"visibility": "public"})
	bob := d.s.User(t, nameOf(t)+"-fork")
	fork := d
	fork.alice = bob
	var p struct{ ID int }
	reply := d.s.Do(t, bob.Token, "POST", fmt.Sprintf("/projects/%d/fork", d.project), nil)
	reply.Into(t, &p)
	fork.project = p.ID
	d.s.Drain(t)
	fork.commit("topic", "main", "a", "1")
	var r request
	reply = fork.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "From a fork", "target_project_id": d.project,
	})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	reply.Into(t, &r)
	require.Equal(t, fork.project, r.SourceProject)
	next := fork.commit("topic", "", "b", "2")
	require.Equal(t, next, d.get(r.IID).SHA)
	require.Equal(t, 401, d.s.Do(t, bob.Token, "PUT",
		fmt.Sprintf("/projects/%d/merge_requests/%d/merge", d.project, r.IID), nil).Status)
	reply = d.accept(r.IID, nil)
	require.Equal(t, 200, reply.Status, "%s", reply.Body)
	require.Equal(t, 200, d.api("GET", "repository/files/b?ref=main", nil).Status)
}

// Who does not read the code of a project reads no lines of it in what is said about merge
// requests.
func TestHiddenCode(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]any{"visibility": "public"})
	base := d.commit("main", "", "a", "secret line\n")
	head := d.commit("topic", "main", "b", "another secret line\n")
	r := d.open("topic")
	reply := d.api("POST", fmt.Sprintf("merge_requests/%d/discussions", r.IID), map[string]any{
		"body": "```suggestion\npublic\n```", "position": map[string]any{
			"base_sha": base, "start_sha": base, "head_sha": head, "position_type": "text", "new_path": "b",
			"old_path": "b", "new_line": 1,
		},
	})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	require.Contains(t, string(reply.Body), "secret line")
	require.Equal(t, 200, d.s.Do(t, d.alice.Token, "PUT", fmt.Sprintf("/projects/%d", d.project),
		map[string]any{"repository_access_level": "private"}).Status)
	bob := d.s.User(t, nameOf(t)+"-reader")
	for _, path := range []string{"", "/discussions", "/notes", "/changes", "/diffs", "/raw_diffs", "/merge_ref"} {
		path = fmt.Sprintf("/projects/%d/merge_requests/%d%s", d.project, r.IID, path)
		reply := d.s.Do(t, bob.Token, "GET", path, nil)
		require.Contains(t, []int{200, 403}, reply.Status, path)
		require.NotContains(t, string(reply.Body), "secret line", path)
	}
}
