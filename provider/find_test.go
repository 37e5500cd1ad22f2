package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// Every part of a path is encoded once, whatever is in it (A03).
func TestFindEncodesPaths(t *testing.T) {
	t.Parallel()
	for key, sent := range map[string]string{
		"acme/platform/api":  "acme%2Fplatform%2Fapi",
		"/acme/api/":         "acme%2Fapi",
		"team.one/old.app":   "team.one%2Fold.app",
		"a+b/c d":            "a%2Bb%2Fc%20d",
		"acme/100%":          "acme%2F100%25",
		"acme/\u00fcber/api": "acme%2F%C3%BCber%2Fapi",
	} {
		h := serve(t, script{"GET /projects/{id}": {do: func(w http.ResponseWriter, r *http.Request) {
			reply(w, 200, fmt.Sprintf(`{"id":7,"path_with_namespace":%q}`, r.PathValue("id")))
		}}})
		r := h.Find(t.Context(), []schema.Ask{{Kind: &the(project).Kind, Key: key}})[0]
		require.NoError(t, r.Err)
		require.Equal(t, schema.Present, r.State)
		require.Equal(t, []string{"GET /projects/" + sent}, h.asked)
		require.Equal(t, strings.Trim(key, "/"), stringOf(r.Objects[0], "path_with_namespace"))
	}
}

func TestFindGroups(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /groups/{id}": {do: func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("id") {
		case "acme":
			reply(w, 200, `{"id":1,"full_path":"Acme","parent_id":null,"visibility":"private"}`)
		case "1":
			reply(w, 200, `{"id":1,"full_path":"Acme","parent_id":null}`)
		case "doomed":
			reply(w, 200, `{"id":2,"full_path":"doomed","marked_for_deletion_on":"2999-01-01"}`)
		case "old.group":
			http.Redirect(w, r, "/api/v4/groups/new%2Ehome", http.StatusMovedPermanently)
		case "new.home":
			reply(w, 200, `{"id":3,"full_path":"new.home"}`)
		case "closed":
			reply(w, 403, `{"message":"403 Forbidden"}`)
		default:
			reply(w, 404, `{"message":"404 Group Not Found"}`)
		}
	}}})
	asks := []schema.Ask{}
	for _, key := range []string{"acme", "doomed", "old.group", "closed", "nowhere"} {
		asks = append(asks, schema.Ask{Kind: &the(group).Kind, Key: key})
	}
	r := h.Find(t.Context(), append(asks, schema.Ask{Kind: &the(group).Kind, ID: "1", Keep: []string{"visibility"}}))

	require.Equal(t, schema.Present, r[0].State, "another case is no other path")
	require.Equal(t, `"private"`, fields(t, r[0].Objects[0], "visibility")["visibility"])
	require.True(t, r[0].Objects[0].Get("parent").IsNull())
	require.Equal(t, schema.PendingDeletion, r[1].State)
	require.ErrorContains(t, r[1].Err, "doomed is marked for deletion on 2999-01-01")
	require.Equal(t, schema.Moved, r[2].State)
	require.Equal(t, "new.home", r[2].Objects[0].Note)
	require.Equal(t, "3", r[2].Objects[0].ID)
	require.NoError(t, r[2].Err)
	require.Equal(t, schema.Forbidden, r[3].State)
	require.ErrorContains(t, r[3].Err, "Owner of the group")
	require.Equal(t, schema.Absent, r[4].State)
	require.NoError(t, r[4].Err)
	require.Equal(t, schema.Present, r[5].State)
	require.Contains(t, h.asked, "GET /groups/1?with_projects=false")
}

// A path of digits is none of an id: hosts would answer with the group of that id, and its settings
// would be changed.
func TestFindPathsOfDigits(t *testing.T) {
	t.Parallel()
	const top = "GET /groups?all_available=true&per_page=100&search=9&top_level_only=true"
	for name, c := range map[string]struct {
		kind  *schema.Kind
		there string
		state schema.State
		asked []string
	}{
		"there": {&the(group).Kind, `[{"id":3,"full_path":"99"},{"id":4,"full_path":"a/9"},{"id":5,"full_path":"9"}]`,
			schema.Present, []string{top, "GET /groups/5?with_projects=false"}},
		"nowhere": {&the(group).Kind, `[{"id":3,"full_path":"99"}]`, schema.Absent, []string{top}},
		"project": {&the(project).Kind, `[]`, schema.Absent, nil},
	} {
		h := serve(t, script{
			"GET /groups":      {status: 200, body: c.there},
			"GET /groups/{id}": {status: 200, body: `{"id":5,"full_path":"9"}`},
		})
		r := h.Find(t.Context(), []schema.Ask{{Kind: c.kind, Key: "/9"}})[0]
		require.NoError(t, r.Err, name)
		require.Equal(t, c.state, r.State, name)
		require.Equal(t, c.asked, h.asked, name)
		if c.state == schema.Present {
			require.Equal(t, "9", stringOf(r.Objects[0], "full_path"), name)
		}
	}
}

func TestFindByIDWithinAnOwner(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"GET /groups/{group}/members/{id}": {status: 404, body: `{"message":"404 Not found"}`},
		"GET /projects/{project}/hooks/{id}": {status: 200,
			body: `{"id":71,"url":"https://h.example/","push_events":true}`},
	})
	r := h.Find(t.Context(), []schema.Ask{
		{Kind: &the(groupMember).Kind, Owner: "12", ID: "5"},
		{Kind: &the(projectHook).Kind, Owner: "7", ID: "71"},
		{Kind: &the(projectHook).Kind, Owner: "7", Key: "https://h.example/"},
	})
	require.Equal(t, schema.Absent, r[0].State, "A07: a member who is gone is no failure")
	require.Equal(t, schema.Present, r[1].State)
	require.Equal(t, schema.Ref{ID: "7"}, *schema.AsRef(r[1].Objects[0].Get("project")))
	require.ErrorContains(t, r[2].Err, "only by its id")
}

// A04: null, an empty answer and 404 are nothing there yet, so that it will be
// created; an object is there, and will be changed. None is a failure.
func TestNothingThereYet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer says
		state  schema.State
	}{
		"null":                     {says{status: 200, body: `null`}, schema.Absent},
		"null and a line":          {says{status: 200, body: "null\n"}, schema.Absent},
		"nothing":                  {says{status: 204}, schema.Absent},
		"404":                      {says{status: 404, body: `{"message":"404 Not found"}`}, schema.Absent},
		"an object":                {says{status: 200, body: `{"id":7}`}, schema.Present},
		"A06: no such endpoint":    {says{status: 404, body: `{"error":"404 Not Found"}`}, schema.Unsupported},
		"A06: not of this edition": {says{status: 501, body: `{}`}, schema.Unsupported},
	} {
		h := serve(t, script{"GET /projects/{project}/hooks/{id}": c.answer})
		r := h.Find(t.Context(), []schema.Ask{{Kind: &the(projectHook).Kind, Owner: "12", ID: "7"}})[0]
		require.Equal(t, c.state, r.State, "%s: %v", name, r.Err)
		require.Equal(t, c.state == schema.Present, len(r.Objects) == 1, name)
	}
}

func TestFindUsers(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"GET /users": {do: func(w http.ResponseWriter, r *http.Request) {
			switch q := r.URL.Query(); {
			case foldCase(q.Get("username")) == "alice":
				reply(w, 200, `[{"id":5,"username":"alice","name":"Alice","state":"active"}]`)
			case q.Get("search") == "Bob@Example.com":
				reply(w, 200, `[{"id":8,"username":"bobby","email":"not-bob@example.com"},{"id":6,"username":"bob","public_email":"bob@example.com"}]`)
			default:
				reply(w, 200, `[]`)
			}
		}},
		"GET /users/{id}": {status: 200, body: `{"id":9,"username":"carol"}`},
	})
	r := h.Find(t.Context(), []schema.Ask{
		{Kind: &the(user).Kind, Key: "Alice"},
		{Kind: &the(user).Kind, Key: "Bob@Example.com"},
		{Kind: &the(user).Kind, Key: "nobody"},
		{Kind: &the(user).Kind, ID: "9"},
	})
	require.Equal(t, "5", r[0].Objects[0].ID)
	require.Equal(t, "6", r[1].Objects[0].ID)
	require.Equal(t, schema.Absent, r[2].State)
	require.Equal(t, "9", r[3].Objects[0].ID)
	require.Len(t, h.asked, 4)
}

// Many names are found in the list of users where that takes fewer requests;
// who is not in it is still asked for.
func TestFindManyUsers(t *testing.T) {
	t.Parallel()
	const present = 60
	rows := make([]string, present)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d,"username":"User%d"}`, i+1, i)
	}
	all := list(rows...)
	for total, requests := range map[string]int{"60": 2, "9000": 62, "": 62} {
		h := serve(t, script{"GET /users": {do: func(w http.ResponseWriter, r *http.Request) {
			name := r.URL.Query().Get("username")
			switch {
			case name == "" && total == "60":
				all.do(w, r)
			case name == "":
				if total != "" {
					w.Header().Set("X-Total", total)
				}
				reply(w, 200, `[]`)
			case name == "nobody":
				reply(w, 200, `[]`)
			default:
				reply(w, 200, fmt.Sprintf(`[{"id":1,"username":%q}]`, name))
			}
		}}})
		asks := []schema.Ask{{Kind: &the(user).Kind, Key: "nobody"}}
		for i := range present {
			asks = append(asks, schema.Ask{Kind: &the(user).Kind, Key: fmt.Sprintf("user%d", i)})
		}
		r := h.Find(t.Context(), asks)
		require.Equal(t, schema.Absent, r[0].State)
		for _, r := range r[1:] {
			require.Equal(t, schema.Present, r.State)
			require.Len(t, r.Objects, 1)
		}
		require.Len(t, h.asked, requests, "total %q", total)
	}
}

func TestSelf(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /user": {status: 200, body: `{"id":1,"username":"root","is_admin":true}`}})
	me, err := h.Self(t.Context())
	require.NoError(t, err)
	require.Equal(t, schema.Self{ID: "1", Username: "root", Admin: true}, me)
	require.Equal(t, 1, h.Requests())
}

// A user's namespace is not a group. The reading names the user, and costs one more request only if
// the group does not exist.
func TestFindUserNamespace(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"GET /groups/{id}": {do: func(w http.ResponseWriter, r *http.Request) {
			reply(w, 404, `{"message":"404 Group Not Found"}`)
		}},
		"GET /namespaces/{id}": {do: func(w http.ResponseWriter, r *http.Request) {
			switch r.PathValue("id") {
			case "nina", "3":
				reply(w, 200, `{"id":3,"kind":"user","path":"nina"}`)
			case "new":
				reply(w, 200, `{"id":4,"kind":"group","path":"new"}`)
			default:
				reply(w, 404, `{"message":"404 Namespace Not Found"}`)
			}
		}},
	})
	var asks []schema.Ask
	for _, key := range []string{"nina", "new", "nowhere", "acme/nina"} {
		asks = append(asks, schema.Ask{Kind: &the(group).Kind, Key: key})
	}
	r := h.Find(t.Context(), append(asks, schema.Ask{Kind: &the(group).Kind, ID: "3"}))
	for i, state := range []schema.State{schema.Unreadable, schema.Absent, schema.Absent, schema.Absent,
		schema.Unreadable} {
		require.Equal(t, state, r[i].State, i)
		if state == schema.Unreadable {
			require.ErrorContains(t, r[i].Err, "it is the namespace of the user nina")
		}
	}
}
