package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// forked is alice's project with a merge request of bob's fork, which nobody but bob is a member
// of.
type forked struct {
	desk
	bob  servertest.Persona
	fork int
	iid  int
}

// newForked opens a merge request of the branch topic of the fork into main, as bob asks for it.
func newForked(t testing.TB, ask map[string]any) forked {
	f := forked{desk: newDesk(t, map[string]any{"visibility": "public"})}
	f.bob = f.s.User(t, nameOf(t)+"-bob")
	f.fork = f.forkOf(f.bob)
	f.s.Drain(t)
	reply := f.do(f.bob, "POST", f.at("repository/commits"), commitTo("topic", "main", "a", "1\n2\n3\n"))
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	body := map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "Topic", "target_project_id": f.project,
	}
	for k, v := range ask {
		body[k] = v
	}
	var r request
	reply = f.do(f.bob, "POST", f.at("merge_requests"), body)
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	reply.Into(t, &r)
	f.iid = r.IID
	return f
}

func (f forked) forkOf(u servertest.Persona) int {
	var made struct{ ID int }
	reply := f.do(u, "POST", fmt.Sprintf("/projects/%d/fork", f.project), nil)
	require.Equal(f.t, 201, reply.Status, "%s", reply.Body)
	reply.Into(f.t, &made)
	return made.ID
}

// at returns a path of the fork.
func (f forked) at(path string) string { return fmt.Sprintf("/projects/%d/%s", f.fork, path) }

func (f forked) do(u servertest.Persona, method, path string, body any) servertest.Reply {
	f.t.Helper()
	return f.s.Do(f.t, u.Token, method, path, body)
}

// member makes a new user a member of the target project.
func (f forked) member(name string, level int) servertest.Persona {
	u := f.s.User(f.t, nameOf(f.t)+"-"+name)
	reply := f.api("POST", "members", map[string]any{"user_id": u.ID, "access_level": level})
	require.Equal(f.t, 201, reply.Status, "%s", reply.Body)
	return u
}

func commitTo(branch, start, file, content string) map[string]any {
	body := map[string]any{
		"branch": branch, "commit_message": "Write " + file,
		"actions": []any{map[string]any{"action": "create", "file_path": file, "content": content}},
	}
	if start != "" {
		body["start_branch"] = start
	}
	return body
}

// Who may merge a merge request of a fork may push to its source branch, if those who may push to
// the fork allow it: to this branch alone, while the merge request is open, the branch is not
// protected, and everybody sees both projects (more §6.2).
func TestCollaboration(t *testing.T) {
	t.Parallel()
	f := newForked(t, map[string]any{"allow_collaboration": true})
	reporter, developer := f.member("reporter", 20), f.member("developer", 30)
	outsider := f.s.User(t, nameOf(t)+"-outsider")
	files := 0
	push := func(u servertest.Persona, branch string) int {
		t.Helper()
		files++
		return f.do(u, "POST", f.at("repository/commits"), commitTo(branch, "", fmt.Sprintf("f%d", files), "x")).Status
	}
	set := func(u servertest.Persona, method, path, body string) {
		t.Helper()
		reply := f.do(u, method, path, json.RawMessage(body))
		require.Less(t, reply.Status, 300, "%s", reply.Body)
	}
	site, fork := fmt.Sprintf("/projects/%d", f.project), fmt.Sprintf("/projects/%d", f.fork)
	one := fmt.Sprintf("%s/merge_requests/%d", site, f.iid)

	require.Equal(t, 201, push(f.alice, "topic"))
	require.Equal(t, 403, push(f.alice, "main"))
	require.Equal(t, 403, push(outsider, "topic"))
	require.Equal(t, 403, push(reporter, "topic"))
	require.Equal(t, 403, push(developer, "topic"), "developers may not merge into main")
	set(f.alice, "DELETE", site+"/protected_branches/main", ``)
	require.Equal(t, 201, push(developer, "topic"))
	require.Equal(t, 403, push(reporter, "topic"))

	for _, c := range []struct {
		name                string
		u                   servertest.Persona
		method, path, body  string
		undo, undone, again string
		status              int
	}{
		{"not allowed any more", f.bob, "PUT", one, `{"allow_collaboration":false}`,
			"PUT", one, `{"allow_maintainer_to_push":true}`, 403},
		{"closed", f.bob, "PUT", one, `{"state_event":"close"}`, "PUT", one, `{"state_event":"reopen"}`, 403},
		{"protected source", f.bob, "POST", fork + "/protected_branches", `{"name":"top*","push_access_level":30}`,
			"DELETE", fork + "/protected_branches/top%2A", ``, 403},
		{"members' code", f.bob, "PUT", fork, `{"repository_access_level":"private"}`,
			"PUT", fork, `{"repository_access_level":"enabled"}`, 403},
		{"no merge requests", f.alice, "PUT", site, `{"merge_requests_access_level":"disabled"}`,
			"PUT", site, `{"merge_requests_access_level":"enabled"}`, 403},
		{"archived fork", f.bob, "POST", fork + "/archive", ``, "POST", fork + "/unarchive", ``, 403},
		{"archived target", f.alice, "POST", site + "/archive", ``, "POST", site + "/unarchive", ``, 403},
		{"internal fork", f.bob, "PUT", fork, `{"visibility":"internal"}`, "PUT", fork, `{"visibility":"public"}`, 201},
		{"private fork", f.bob, "PUT", fork, `{"visibility":"private"}`, "PUT", fork, `{"visibility":"public"}`, 404},
	} {
		set(c.u, c.method, c.path, c.body)
		require.Equal(t, c.status, push(f.alice, "topic"), c.name)
		set(c.u, c.undo, c.undone, c.again)
		require.Equal(t, 201, push(f.alice, "topic"), "undone: %s", c.name)
	}

	// External users see what is internal only as members, so it is not open to them.
	external := func(on bool) {
		reply := f.s.Do(t, servertest.RootToken, "PUT", fmt.Sprint("/users/", f.alice.ID), map[string]any{"external": on})
		require.Equal(t, 200, reply.Status, "%s", reply.Body)
	}
	external(true)
	require.Equal(t, 201, push(f.alice, "topic"))
	set(f.alice, "PUT", site, `{"visibility":"internal"}`)
	require.Equal(t, 403, push(f.alice, "topic"))
	external(false)
	require.Equal(t, 201, push(f.alice, "topic"))

	// Nobody without a role in the fork allows it.
	set(f.bob, "PUT", one, `{"allow_collaboration":false}`)
	set(f.alice, "PUT", one, `{"allow_collaboration":true,"title":"Mine"}`)
	require.Equal(t, 403, push(f.alice, "topic"))
}

// What is not a commit on the branch stays with the members of the fork.
func TestCollaboratorsDoNoMore(t *testing.T) {
	t.Parallel()
	f := newForked(t, map[string]any{"allow_maintainer_to_push": true})
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "repository/files/b", `{"branch":"topic","content":"b","commit_message":"m"}`, 201},
		{"PUT", "repository/files/b", `{"branch":"topic","content":"c","commit_message":"m"}`, 200},
		{"POST", "repository/commits/topic/revert", `{"branch":"topic"}`, 201},
		{"DELETE", "repository/files/b", `{"branch":"topic","commit_message":"m"}`, 204},
		{"POST", "repository/files/b", `{"branch":"main","content":"b","commit_message":"m"}`, 403},
		{"POST", "repository/files/b", `{"branch":"x","start_branch":"topic","content":"b","commit_message":"m"}`, 403},
		{"POST", "repository/commits/topic/cherry_pick", `{"branch":"main"}`, 403},
		{"POST", "repository/branches", `{"branch":"x","ref":"topic"}`, 403},
		{"DELETE", "repository/branches/topic", ``, 403},
		{"DELETE", "repository/merged_branches", ``, 403},
		{"POST", "repository/tags", `{"tag_name":"v1","ref":"topic"}`, 403},
		{"POST", "releases", `{"tag_name":"v1","ref":"topic"}`, 403},
		{"PUT", "", `{"description":"mine"}`, 403},
	} {
		path := strings.TrimSuffix(f.at(c.path), "/")
		reply := f.do(f.alice, c.method, path, json.RawMessage(c.body))
		require.Equal(t, c.status, reply.Status, "%s %s %s: %s", c.method, c.path, c.body, reply.Body)
	}
	can := map[string]bool{}
	for _, u := range []string{f.alice.Token, f.bob.Token, ""} {
		var branches []struct {
			Name    string
			CanPush bool `json:"can_push"`
		}
		f.s.Do(t, u, "GET", f.at("repository/branches"), nil).Into(t, &branches)
		for _, b := range branches {
			can[fmt.Sprintf("%t %t %s", u == f.alice.Token, u == f.bob.Token, b.Name)] = b.CanPush
		}
	}
	require.Equal(t, map[string]bool{
		"true false main": false, "true false topic": true, "false true main": true, "false true topic": true,
		"false false main": false, "false false topic": false,
	}, can)
}

// Git clients push as the API does.
func TestCollaborationOfGitClients(t *testing.T) {
	t.Parallel()
	f := newForked(t, nil)
	var fork struct {
		Path string `json:"path_with_namespace"`
	}
	f.do(f.alice, "GET", fmt.Sprintf("/projects/%d", f.fork), nil).Into(t, &fork)
	base := strings.TrimSuffix(strings.TrimPrefix(f.s.URL, "http://"), "/api/v4")
	w := gittest.NewClient(t)
	w.Git("clone", "-q", "-b", "topic", fmt.Sprintf("http://any:%s@%s/%s.git", f.alice.Token, base, fork.Path), ".")
	write := func(name string) {
		w.Write(name, "new\n")
		w.Git("add", "-A")
		w.Git("commit", "-qm", "Add "+name)
	}
	write("b")
	require.Contains(t, w.Refused("push", "-q", "origin", "topic"), "You are not allowed to push code to this project.")
	one := fmt.Sprintf("/projects/%d/merge_requests/%d", f.project, f.iid)
	require.Equal(t, http.StatusOK, f.do(f.bob, "PUT", one, map[string]any{"allow_collaboration": true}).Status)
	w.Git("push", "-q", "origin", "topic")
	head := strings.TrimSpace(w.Git("rev-parse", "HEAD"))
	require.Equal(t, head, f.get(f.iid).SHA, "the merge request has a new version")
	w.Git("commit", "-q", "--amend", "-m", "Say it better")
	w.Git("push", "-q", "--force", "origin", "topic")
	for _, ref := range []string{"topic:main", "topic:other", ":topic", "topic:refs/tags/v1"} {
		require.Contains(t, w.Refused("push", "-q", "--force", "origin", ref),
			"You are not allowed to push code to this project.", ref)
	}
	require.Contains(t, w.Refused("push", "-q", "--atomic", "origin", "topic", "topic:other"), "not allowed to push")

	// A rebase is a push with force.
	f.commit("main", "", "target", "1\n")
	require.Equal(t, 202, f.api("PUT", fmt.Sprintf("merge_requests/%d/rebase", f.iid), nil).Status)
	f.s.Drain(t)
	r := f.get(f.iid)
	require.Nil(t, r.MergeError)
	w.Git("fetch", "-q")
	require.Equal(t, "target", strings.TrimSpace(w.Git("ls-tree", "--name-only", "origin/topic", "target")))
	require.Equal(t, http.StatusOK, f.do(f.bob, "PUT", one, map[string]any{"allow_collaboration": false}).Status)
	reply := f.api("PUT", fmt.Sprintf("merge_requests/%d/rebase", f.iid), nil)
	require.Equal(t, 403, reply.Status)
	require.Contains(t, string(reply.Body), "Cannot push to source branch")
}

// A merge request of a fork is opened again with what was pushed while it was closed.
func TestReopenAfterPush(t *testing.T) {
	t.Parallel()
	f := newForked(t, nil)
	one := fmt.Sprintf("/projects/%d/merge_requests/%d", f.project, f.iid)
	require.Equal(t, 200, f.do(f.bob, "PUT", one, map[string]any{"state_event": "close"}).Status)
	f.s.Drain(t)
	require.Equal(t, 201, f.do(f.bob, "POST", f.at("repository/commits"), commitTo("topic", "", "b", "1\n")).Status)
	f.s.Drain(t)
	reply := f.do(f.bob, "PUT", one, map[string]any{"state_event": "reopen"})
	require.Equal(t, 200, reply.Status, "%s", reply.Body)
	var commits []struct{}
	f.api("GET", fmt.Sprintf("merge_requests/%d/commits", f.iid), nil).Into(t, &commits)
	require.Len(t, commits, 2)
}
