package hook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/setting"
)

// received is a request as a receiver got it.
type received struct {
	path   string
	header http.Header
	user   string // name:password
	body   map[string]any
}

// estate is a server that may call local addresses, and a receiver of hooks. Say what it answers
// before the first hook.
type estate struct {
	*servertest.Server
	t    *testing.T
	url  string                              // of the receiver
	then func(http.ResponseWriter, received) // what it answers; nil: 200

	mu  sync.Mutex
	got []received
}

func newEstate(t *testing.T) *estate {
	e := &estate{Server: servertest.Fresh(t), t: t}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		in := received{path: r.URL.String(), header: r.Header}
		if name, password, ok := r.BasicAuth(); ok {
			in.user = name + ":" + password
		}
		_ = json.Unmarshal(text, &in.body)
		e.mu.Lock()
		e.got = append(e.got, in)
		e.mu.Unlock()
		if e.then != nil {
			e.then(w, in)
		}
	}))
	t.Cleanup(receiver.Close)
	e.url = receiver.URL
	require.NoError(t, setting.Set(t.Context(), e.Store, "allow_local_requests_from_web_hooks_and_services", true))
	require.NoError(t, setting.Set(t.Context(), e.Store, "deletion_adjourned_period", 0))
	return e
}

// make creates a thing as root and returns its id.
func (e *estate) make(path string, body map[string]any) int64 {
	var made struct{ ID int64 }
	e.Do(e.t, e.RootToken, "POST", path, body).Into(e.t, &made)
	return made.ID
}

func (e *estate) group(path string, parent int64) int64 {
	body := map[string]any{"name": path, "path": path}
	if parent != 0 {
		body["parent_id"] = parent
	}
	return e.make("/groups", body)
}

func (e *estate) hook(group int64, path string, more map[string]any) int64 {
	body := map[string]any{"url": e.url + path, "push_events": false}
	for key, value := range more {
		body[key] = value
	}
	return e.make(fmt.Sprintf("/groups/%d/hooks", group), body)
}

// as sends a request as root, which has to succeed.
func (e *estate) as(method, path string, body any) servertest.Reply {
	r := e.Do(e.t, e.RootToken, method, path, body)
	require.Less(e.t, r.Status, 300, "%s %s: %s", method, path, r.Body)
	return r
}

// requests waits for all deliveries, and returns those since the last call.
func (e *estate) requests() []received {
	e.Drain(e.t)
	e.mu.Lock()
	defer e.mu.Unlock()
	got := e.got
	e.got = nil
	return got
}

// take returns the summary of requests: "event path" for each.
func (e *estate) take() []string { return summary(e.requests()) }

func summary(got []received) (lines []string) {
	for _, r := range got {
		lines = append(lines, fmt.Sprint(r.body["event_name"], " ", r.path))
	}
	return lines
}

func (e *estate) show(group, hook int64) (h struct {
	AlertStatus   string  `json:"alert_status"`
	DisabledUntil *string `json:"disabled_until"`
}) {
	e.as("GET", fmt.Sprintf("/groups/%d/hooks/%d", group, hook), nil).Into(e.t, &h)
	return h
}

// Every hook of the group and of those above it gets the event once, and no other.
func TestMembersAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	web := e.group("web", acme)
	other := e.group("other", acme)
	bob := e.User(t, "bob")
	flag := map[string]any{"member_events": true}
	e.hook(acme, "/acme", flag)
	e.hook(web, "/web", flag)
	e.hook(other, "/other", flag)
	e.hook(web, "/silent", map[string]any{"subgroup_events": true})
	require.Empty(t, e.take())

	members := fmt.Sprintf("/groups/%d/members", web)
	e.as("POST", members, map[string]any{"user_id": bob.ID, "access_level": 30, "expires_at": "2999-01-02"})
	got := e.requests()
	require.ElementsMatch(t, []string{"user_add_to_group /acme", "user_add_to_group /web"}, summary(got))
	r := got[0]
	require.Equal(t, []string{"Member Hook"}, r.header["X-Gitlab-Event"])
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	require.Equal(t, "GitLab/"+server.Version, r.header.Get("User-Agent"))
	require.Equal(t, e.Server.Server.URL(), r.header.Get("X-Gitlab-Instance"))
	require.NotContains(t, r.header, "X-Gitlab-Token")
	uuids := map[string]bool{}
	for _, name := range []string{"X-Gitlab-Event-Uuid", "X-Gitlab-Webhook-Uuid", "Idempotency-Key"} {
		for _, r := range got {
			require.Len(t, r.header.Get(name), 36, name)
			uuids[r.header.Get(name)] = true
		}
	}
	require.Len(t, uuids, 6, "of each delivery and hook its own")
	for _, key := range []string{"created_at", "updated_at"} {
		require.NotEmpty(t, r.body[key])
		delete(r.body, key)
	}
	require.Equal(t, map[string]any{
		"event_name": "user_add_to_group", "group_name": "web", "group_path": "web", "group_id": float64(web),
		"user_username": "bob", "user_name": "Bob", "user_email": "[REDACTED]", "user_id": float64(bob.ID),
		"group_access": "Developer", "group_plan": nil, "expires_at": "2999-01-02T00:00:00Z",
	}, r.body)

	member := fmt.Sprintf("%s/%d", members, bob.ID)
	e.as("PUT", member, map[string]any{"access_level": 40})
	require.ElementsMatch(t, []string{"user_update_for_group /acme", "user_update_for_group /web"}, e.take())
	require.Equal(
		t, 409, e.Do(t, e.RootToken, "POST", members, map[string]any{"user_id": bob.ID, "access_level": 30}).Status,
	)
	require.Empty(t, e.take(), "an event that is rolled back is sent")
	e.as("DELETE", member, nil)
	require.ElementsMatch(t, []string{"user_remove_from_group /acme", "user_remove_from_group /web"}, e.take())

	// Leaving a group ends the memberships below it.
	for _, id := range []int64{acme, other} {
		e.as("POST", fmt.Sprintf("/groups/%d/members", id), map[string]any{"user_id": bob.ID, "access_level": 30})
	}
	e.take()
	e.as("DELETE", fmt.Sprintf("/groups/%d/members/%d", acme, bob.ID), nil)
	require.ElementsMatch(t, []string{
		"user_remove_from_group /acme", "user_remove_from_group /acme", "user_remove_from_group /other",
	}, e.take())

	// A membership that has expired, and one of a user who is removed.
	yesterday, carol := db.Today().Add(-1), e.User(t, "carol")
	for user, expires := range map[int64]*db.Date{bob.ID: &yesterday, carol.ID: nil} {
		_, err := group.AddMember(
			t.Context(), e.Store, group.Member{UserID: user, NamespaceID: &other, AccessLevel: 30, ExpiresAt: expires},
		)
		require.NoError(t, err)
	}
	require.NoError(t, jobs.Enqueue(t.Context(), e.Store, group.SweepJob{}))
	require.ElementsMatch(t, []string{"user_remove_from_group /acme", "user_remove_from_group /other"}, e.take())
	e.as("DELETE", fmt.Sprintf("/users/%d", carol.ID), nil)
	require.ElementsMatch(t, []string{"user_remove_from_group /acme", "user_remove_from_group /other"}, e.take())
}

func TestSubgroupsAndProjectsAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	e.hook(acme, "/groups", map[string]any{"subgroup_events": true})
	e.hook(acme, "/projects", map[string]any{"project_events": true})
	e.hook(acme, "/members", map[string]any{"member_events": true})

	web := e.group("web", acme)
	got := e.requests()
	require.ElementsMatch(t, []string{"subgroup_create /groups", "user_add_to_group /members"}, summary(got))
	byPath := map[string]map[string]any{}
	for _, r := range got {
		byPath[r.path] = r.body
	}
	created := byPath["/groups"]
	require.NotNil(t, created)
	delete(created, "created_at")
	delete(created, "updated_at")
	require.Equal(t, map[string]any{
		"event_name": "subgroup_create", "name": "web", "path": "web", "full_path": "acme/web",
		"group_id":        float64(web),
		"parent_group_id": float64(acme), "parent_name": "acme", "parent_path": "acme", "parent_full_path": "acme",
	}, created)
	e.group("deep", web)
	require.ElementsMatch(t, []string{"subgroup_create /groups", "user_add_to_group /members"}, e.take())

	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": web})
	got = e.requests()
	require.Equal(t, []string{"project_create /projects"}, summary(got))
	body := got[0].body
	require.Equal(t, "Project Hook", got[0].header.Get("X-Gitlab-Event"))
	delete(body, "created_at")
	delete(body, "updated_at")
	require.Equal(t, map[string]any{
		"event_name": "project_create", "name": "Site", "path": "site", "path_with_namespace": "acme/web/site",
		"project_id": float64(site), "project_namespace_id": float64(web), "project_visibility": "private",
		"owners": []any{map[string]any{"name": "Administrator", "email": "[REDACTED]"}},
	}, body)
	tool := e.make("/projects", map[string]any{"name": "tool", "namespace_id": acme})
	require.Equal(t, []string{"project_create /projects"}, e.take())
	e.make("/projects", map[string]any{"name": "mine"})
	require.Empty(t, e.take(), "no group is around that")

	e.as("DELETE", fmt.Sprintf("/projects/%d", tool), nil)
	require.Equal(t, []string{"project_destroy /projects"}, e.take())
	e.as("DELETE", fmt.Sprintf("/groups/%d", web), nil)
	require.ElementsMatch(
		t, []string{"project_destroy /projects", "subgroup_destroy /groups", "subgroup_destroy /groups"}, e.take(),
	)
}

// A delivery is sent as its hook says, and no record or answer has a secret of it.
func TestSecretsOfDeliveries(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.then = func(w http.ResponseWriter, r received) { // a receiver that says all it knows
		w.Header().Set("X-Echo", r.header.Get("X-Key"))
		fmt.Fprintln(w, r.path, r.header, r.user)
	}
	acme := e.group("acme", 0)
	hook := e.hook(acme, "/{where}?q={what}", map[string]any{
		"url":   strings.Replace(e.url, "http://", "http://ann:passw0rd@", 1) + "/{where}?q={what}",
		"token": "t0ken-of-mine", "member_events": true,
		"custom_headers": []any{map[string]any{"key": "X-Key", "value": "header-value"},
			map[string]any{"key": "user-agent", "value": "mine"}},
		"url_variables": []any{
			map[string]any{"key": "where", "value": "hidden-place"}, map[string]any{"key": "what", "value": "a%20b"},
		},
		"custom_webhook_template": `{"event_name":"{{event_name}}","who":{{user_id}},"in":"{{group_name}}"}`,
	})
	path := fmt.Sprintf("/groups/%d/hooks/%d", acme, hook)
	e.as("POST", path+"/test/member_events", nil)
	got := e.requests()
	require.Len(t, got, 1)
	r := got[0]
	require.Equal(t, "/hidden-place?q=a%20b", r.path)
	require.Equal(t, "ann:passw0rd", r.user)
	require.Equal(t, "t0ken-of-mine", r.header.Get("X-Gitlab-Token"))
	require.Equal(t, "header-value", r.header.Get("X-Key"))
	require.Equal(t, []string{"GitLab/" + server.Version}, r.header["User-Agent"], "standard headers win")
	require.Equal(t, map[string]any{"event_name": "user_add_to_group", "who": float64(1), "in": "acme"}, r.body)

	var events []struct {
		ID              int64
		URL             string
		Trigger         string
		RequestHeaders  map[string]string `json:"request_headers"`
		RequestData     map[string]any    `json:"request_data"`
		ResponseHeaders map[string]string `json:"response_headers"`
		ResponseBody    string            `json:"response_body"`
		ResponseStatus  string            `json:"response_status"`
	}
	shown := e.as("GET", path+"/events", nil)
	shown.Into(t, &events)
	require.Len(t, events, 1)
	require.Equal(t, "member_hooks", events[0].Trigger)
	require.Equal(t, "200", events[0].ResponseStatus)
	require.Contains(t, events[0].URL, "/{where}?q={what}")
	require.Equal(t, "user_add_to_group", events[0].RequestData["event_name"])
	require.Equal(t, "[REDACTED]", events[0].RequestHeaders["X-Key"])
	require.Equal(t, "[REDACTED]", events[0].RequestHeaders["X-Gitlab-Token"])
	require.Equal(t, "[REDACTED]", events[0].ResponseHeaders["X-Echo"])

	rows, err := e.Store.DB().Query(t.Context(), `select hook_logs::text || args::text from hook_logs, river_job`)
	require.NoError(t, err)
	kept := string(shown.Body)
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		kept += text
	}
	require.NoError(t, rows.Err())
	for _, secret := range []string{"t0ken-of-mine", "header-value", "hidden-place", "passw0rd", "a%20b",
		"YW5uOnBhc3N3MHJk"} {
		require.NotContains(t, kept, secret)
	}

	// A resent delivery keeps the idempotency key, but has an event UUID of its own.
	again := e.as("POST", fmt.Sprintf("%s/events/%d/resend", path, events[0].ID), nil)
	require.JSONEq(t, `{"response_status":200}`, string(again.Body))
	got = e.requests()
	require.Len(t, got, 1)
	require.Equal(t, r.body, got[0].body)
	require.Equal(t, r.header.Get("Idempotency-Key"), got[0].header.Get("Idempotency-Key"))
	require.Equal(t, r.header.Get("X-Gitlab-Webhook-UUID"), got[0].header.Get("X-Gitlab-Webhook-UUID"))
	require.NotEqual(t, r.header.Get("X-Gitlab-Event-UUID"), got[0].header.Get("X-Gitlab-Event-UUID"))
}
