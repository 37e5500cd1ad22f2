package hook_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/hook"
	"hew/server/people"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO+NJdmbP3Bxmy7pbxEy60ut9I09VWACsjDe+L+p4jBT"

// systemSteps lists requests in their order. {acme} in a path or a text is the id of what the step
// with that name made.
var systemSteps = []struct{ request, body, name string }{
	{"POST /groups", `{"name":"Acme","path":"acme","visibility":"public"}`, "acme"},
	{"POST /groups", `{"name":"Web","path":"web","parent_id":{acme},"visibility":"public"}`, "web"},
	{"PUT /groups/{web}", `{"description":"not a rename"}`, ""},
	{"PUT /groups/{web}", `{"path":"www"}`, ""},
	{"POST /users", `{"name":"Ann","username":"ann","email":"ann@example.com","force_random_password":true}`, "ann"},
	{"PUT /users/{ann}", `{"bio":"not a rename"}`, ""},
	{"PUT /users/{ann}", `{"username":"anna"}`, ""},
	{"POST /users/{ann}/keys", `{"title":"old","key":"` + publicKey + ` old"}`, "key"},
	{"DELETE /users/{ann}/keys/{key}", ``, ""},
	{"POST /users/{ann}/keys", `{"title":"new","key":"` + publicKey + ` new"}`, ""},
	{"POST /groups/{acme}/access_requests?sudo=anna", ``, ""},
	{"DELETE /groups/{acme}/access_requests/{ann}", ``, ""},
	{"POST /groups/{acme}/members", `{"user_id":{ann},"access_level":10}`, ""},
	{"PUT /groups/{acme}/members/{ann}", `{"access_level":30}`, ""},
	{"POST /projects?sudo=anna", `{"path":"site","namespace_id":{acme},"visibility":"public"}`, "site"},
	{"PUT /projects/{site}", `{"description":"An update."}`, ""},
	{"PUT /projects/{site}", `{"path":"page"}`, ""},
	{"PUT /projects/{site}/transfer?namespace={web}", ``, ""},
	{"POST /users", `{"name":"Bob","username":"bob","email":"bob@example.com","force_random_password":true}`, "bob"},
	{"POST /projects/{site}/repository/files/a?sudo=anna", add("a"), ""},
	{"PUT /hooks/{hook}", `{"push_events":true,"tag_push_events":true,"repository_update_events":false}`, ""},
	{"POST /projects/{site}/repository/tags?sudo=anna", `{"tag_name":"v1","ref":"main"}`, ""},
	{"POST /projects/{site}/repository/files/b?sudo=anna", add("b"), ""},
	{"POST /projects/{site}/access_requests?sudo=bob", ``, ""},
	{"DELETE /projects/{site}/access_requests/{bob}", ``, ""},
	{"POST /projects/{site}/members", `{"user_id":{bob},"access_level":20}`, ""},
	{"PUT /projects/{site}/members/{bob}", `{"access_level":40}`, ""},
	{"DELETE /projects/{site}/members/{bob}", ``, ""},
	{"POST /projects?sudo=anna", `{"path":"mine"}`, ""},
	{"POST /projects", `{"path":"tool","namespace_id":{acme}}`, "tool"},
	{"DELETE /projects/{tool}", ``, ""},
	{"POST /groups/{web}/transfer", ``, ""},
	{"DELETE /groups/{acme}/members/{ann}", ``, ""},
	{"DELETE /users/{ann}", ``, ""},
	{"POST /groups/{web}/transfer?group_id={acme}", ``, ""},
	{"DELETE /groups/{acme}", ``, ""},
}

// add returns the body of a request for a new file.
func add(name string) string {
	return `{"branch":"main","commit_message":"Add ` + name + `","content":"1"}`
}

// systemEventNames lists all events of system hooks that exist (more-2 §8.5).
var systemEventNames = slices.Sorted(slices.Values(append(gitEventNames,
	"group_create", "group_destroy", "group_rename", "key_create", "key_destroy",
	"project_create", "project_destroy", "project_rename", "project_transfer", "project_update",
	"user_access_request_revoked_for_group", "user_access_request_revoked_for_project",
	"user_access_request_to_group", "user_access_request_to_project",
	"user_add_to_group", "user_add_to_team", "user_create", "user_destroy", "user_remove_from_group",
	"user_remove_from_team", "user_rename", "user_update_for_group", "user_update_for_team",
)))

// gitEventNames are those of pushes, which have no times of a row.
var gitEventNames = []string{"push", "repository_update", "tag_push"}

// commitID matches the ids of commits, and zeros.
var commitID = regexp.MustCompile(`\b[0-9a-f]{40}\b`)

// zeros stand for no commit.
var zeros = strings.Repeat("0", 40)

func maskCommit(id string) string {
	if id == zeros {
		return id
	}
	return "<commit>"
}

// A receiver gets every event of the instance, as testdata/system_events.txt shows.
func TestSystemEvents(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	hook := e.make("/hooks", map[string]any{"url": e.url, "token": "t0ken-of-mine"})
	require.Empty(t, e.take())

	var out strings.Builder
	seen, ids := map[string]bool{}, map[string]string{"hook": fmt.Sprint(hook)}
	masked := strings.NewReplacer(strings.TrimSuffix(e.URL, "/api/v4"), "http://hewd")
	fill := func(text string) string {
		for name, id := range ids {
			text = strings.ReplaceAll(text, "{"+name+"}", id)
		}
		return text
	}
	for _, step := range systemSteps {
		fmt.Fprintf(&out, "> %s %s\n", step.request, step.body)
		method, path, _ := strings.Cut(fill(step.request), " ")
		var body any
		if step.body != "" {
			body = json.RawMessage(fill(step.body))
		}
		reply := e.as(method, path, body)
		if step.name != "" {
			var made servertest.Made
			reply.Into(t, &made)
			ids[step.name] = fmt.Sprint(made.ID)
		}
		var lines []string
		for _, r := range e.requests() {
			require.Equal(t, "System Hook", r.header.Get("X-Gitlab-Event"))
			require.Equal(t, "t0ken-of-mine", r.header.Get("X-Gitlab-Token"))
			event := r.body["event_name"].(string)
			for _, key := range []string{"created_at", "updated_at"} {
				if !slices.Contains(gitEventNames, event) {
					require.NotEmpty(t, r.body[key], "%s %s", event, key)
				}
				delete(r.body, key)
			}
			delete(r.body, "event_name")
			seen[event] = true
			text, err := json.Marshal(r.body)
			require.NoError(t, err)
			lines = append(lines, event+" "+masked.Replace(commitID.ReplaceAllStringFunc(string(text), maskCommit)))
		}
		slices.Sort(lines)
		fmt.Fprintln(&out, strings.Join(append(lines, ""), "\n"))
	}
	servertest.Golden(t, "testdata/system_events.txt", out.String())
	require.Equal(t, systemEventNames, slices.Sorted(maps.Keys(seen)))

	// It is neither sent to after it is gone, nor where the mode is silent.
	require.NoError(t, setting.Set(t.Context(), e.Store, "silent_mode_enabled", true))
	e.group("silent", 0)
	require.Empty(t, e.take())
	require.NoError(t, setting.Set(t.Context(), e.Store, "silent_mode_enabled", false))
	e.as("DELETE", fmt.Sprintf("/hooks/%d", hook), nil)
	e.group("gone", 0)
	require.Empty(t, e.take())
}

// A system hook gets no event of a kind that groups and projects have hooks for, and failures do
// not disable it.
func TestSystemHookStaysExecutable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acme := w.Group("acme", nil, w.User("alice").ID)
	h, err := hook.NewHook(t.Context(), w.Store, db.Container{})
	require.NoError(t, err)
	h.URL, h.PushEvents = "https://audit.example.com", true
	h, err = hook.Hooks(w.Store, db.Container{}).Create(t.Context(), h)
	require.NoError(t, err)
	for range 50 {
		w.deliver(h, 500)
	}
	for flag, want := range map[string]int{hook.SystemEvent: 1, "push_events": 0, "member_events": 0} {
		hooks, err := hook.AudienceOf(t.Context(), w.Store, flag, acme.ID, "")
		require.NoError(t, err)
		require.Len(t, hooks, want, flag)
	}
}

// Removing twenty things at once takes as many statements for their payloads as removing two.
func TestSystemPayloadStatements(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	w, counted := s.World(t), s.Counted(t)
	owner := w.User("owner")
	count := func(n int) map[string]int {
		top := w.Group(fmt.Sprint("top-", n), nil, owner.ID)
		gone := people.BeforeRemoval{}
		changed := group.MembersChanged{What: group.MemberAdded}
		for i := range n {
			g := w.Group(fmt.Sprint("group-", i), &top, owner.ID)
			p := w.Project(fmt.Sprint("project-", i), g.ID, owner.ID)
			u := w.User(fmt.Sprintf("user-%d-%d", n, i))
			w.Project("mine", u.NamespaceID, u.ID)
			gone.Users = append(gone.Users, u)
			for _, source := range []tree.Source{tree.InGroup(g), tree.InProject(p)} {
				m, err := group.AddMember(t.Context(), w.Store, group.NewMember(source, u.ID, 30))
				require.NoError(t, err)
				changed.Members = append(changed.Members, m)
			}
		}
		return counted.During(t, func() {
			ctx := t.Context()
			payloads, err := hook.GroupRemovalPayloads(ctx, counted.Store, group.BeforeRemoval{Group: top})
			require.NoError(t, err)
			require.Len(t, payloads, 2*n+1)
			payloads, err = hook.UserRemovalPayloads(ctx, counted.Store, gone)
			require.NoError(t, err)
			require.Len(t, payloads, 2*n)
			payloads, err = hook.MemberPayloads(ctx, counted.Store, changed)
			require.NoError(t, err)
			require.Len(t, payloads, 2*n)
		})
	}
	count(1) // prepares the statements
	few := count(2)
	require.NotEmpty(t, few)
	require.Equal(t, few, count(20))
}
