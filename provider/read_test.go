package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/provider/client"
	"hew/schema"
)

func query(k *Kind, owner string, keep ...string) schema.Query {
	return schema.Query{Collection: k.In(owner), Kind: &k.Kind, Keep: keep}
}

func TestReadMembers(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /groups/{id}/members": list(
		`{"id":5,"username":"alice","access_level":50,"expires_at":null,"state":"active"}`,
		`{"id":6,"username":"Bob","access_level":25,"expires_at":"2999-09-26"}`,
		`{"id":6,"username":"Bob","access_level":25,"expires_at":"2999-09-26"}`,
		`{"id":7,"username":"group_12_bot_0a1f","access_level":40}`,
		`{"id":8,"username":"project_3_bot","access_level":40}`,
		`{"id":9,"username":"carol","access_level":30,"override":false}`,
		`{"id":10,"username":"dave","access_level":30,"override":true}`,
		`{"id":11,"username":"robot","access_level":30,"bot":true}`,
	)})
	r := h.Read(t.Context(), []schema.Query{query(the(groupMember), "12", "access_level", "expires_at")})[0]
	require.NoError(t, r.Err)
	require.Equal(t, schema.Present, r.State)
	require.Len(t, r.Objects, 7, "a row that comes twice counts once")
	require.Equal(t, []string{"GET /groups/12/members?per_page=100"}, h.asked)

	alice, bob := r.Objects[0], r.Objects[1]
	require.Equal(t, "5", alice.ID)
	require.Equal(t, schema.Ref{ID: "12"}, *schema.AsRef(alice.Get("group")))
	require.Equal(t, schema.Ref{ID: "5", Path: "alice"}, *schema.AsRef(alice.Get("user")))
	require.Same(t, schema.AsRef(alice.Get("group")), schema.AsRef(bob.Get("group")))
	require.Equal(t, map[string]string{"access_level": "owner", "expires_at": `""`},
		fields(t, alice, "access_level", "expires_at", "state"))
	require.Equal(t, map[string]string{"access_level": "25", "expires_at": `"2999-09-26"`},
		fields(t, bob, "access_level", "expires_at"), "an unknown role stays a number")
	require.Equal(t, 25, the(groupMember).Weight(bob))
	require.True(t, the(groupMember).Attr("user").Equal(bob.Get("user"), schema.RefVal(&schema.Ref{Path: "bob"})),
		"names fold")

	require.Equal(t, []string{"", "", "bot", "bot", "synced from the directory", "", "bot"}, notesOf(r.Objects))
}

// Roles that have no name are numbers, in answers, in plans and in requests; none is taken for no
// access (D24). Those that no host grants are refused.
func TestRolesWithoutAName(t *testing.T) {
	t.Parallel()
	for level, shown := range map[int]string{0: "no_access", 5: "minimal_access", 15: "planner", 25: "25", 37: "37",
		60: "60"} {
		h := serve(t, script{
			"GET /groups/{id}/members": list(fmt.Sprintf(`{"id":5,"username":"alice","access_level":%d}`, level)),
		})
		r := h.Read(t.Context(), []schema.Query{query(the(groupMember), "12", "access_level")})[0]
		require.NoError(t, r.Err)
		o, a := r.Objects[0], the(groupMember).row("access_level")
		require.Equal(t, level, the(groupMember).Weight(o))
		require.Equal(t, shown, a.Show(o.Get("access_level")))
		require.Equal(t, fmt.Sprint(level), jsonOf(t, a.encoded(o.Get("access_level"))))
		for _, stated := range []any{level, fmt.Sprint(level), shown} {
			require.Equal(t, level == 0 || level == 60, a.Accepts.Check(valueOf(stated)) != nil, "%v", stated)
			require.True(t, a.Equal(valueOf(stated), o.Get("access_level")), "%v", stated)
		}
		require.Equal(t, level == 0, a.Equal(valueOf(0), o.Get("access_level")))
	}
}

// D15: whatever stands where a secret was, in an answer or not, is nothing that
// hew has read.
func TestSecretsAreNotRead(t *testing.T) {
	t.Parallel()
	for _, token := range []string{``, `,"token":null`, `,"token":""`, `,"token":"********"`, `,"token":true`,
		`,"token":{"set":true}`} {
		h := serve(t, script{"GET /projects/{id}/hooks": list(`{"id":71,"url":"https://h.example/",` +
			`"custom_headers":[{"key":"X"}],"url_variables":[{"key":"v"}]` + token + `}`)})
		r := h.Read(t.Context(), []schema.Query{query(the(projectHook), "7", "token", "custom_headers",
			"url_variables")})[0]
		require.NoError(t, r.Err, token)
		for _, name := range []string{"token", "custom_headers", "url_variables"} {
			_, read := r.Objects[0].Value.Get(name)
			require.False(t, read, "%s of %s", name, token)
		}
	}
}

func notesOf(objects []schema.Object) []string {
	var notes []string
	for _, o := range objects {
		notes = append(notes, o.Note)
	}
	return notes
}

func TestReadProjects(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /groups/{id}/projects": list(
		`{"id":1,"path":"api","path_with_namespace":"acme/api","namespace":{"id":12,"full_path":"acme"},"archived":false}`,
		`{"id":2,"path":"old","path_with_namespace":"acme/old","namespace":{"id":12,"full_path":"acme"},"archived":true}`,
		`{"id":3,"path":"gone","path_with_namespace":"acme/sub/gone","namespace":{"id":13,"full_path":"acme/sub"},"archived":false,"marked_for_deletion_on":"2999-01-02"}`,
	)})
	deep := schema.Query{Collection: projectsSource().Data.In(&the(project).Kind, "12", true), Kind: &the(project).Kind}
	readings := h.Read(t.Context(), []schema.Query{query(the(project), "12", "archived"), deep})
	require.ElementsMatch(t, []string{
		"GET /groups/12/projects?include_subgroups=false&per_page=100&with_shared=false",
		"GET /groups/12/projects?include_subgroups=true&per_page=100&with_shared=false",
	}, h.asked)
	for _, r := range readings {
		require.NoError(t, r.Err)
		require.Len(t, r.Objects, 3)
		require.Equal(t, schema.Present, r.Objects[0].State)
		require.Equal(t, schema.Archived, r.Objects[1].State)
		require.Equal(t, schema.PendingDeletion, r.Objects[2].State)
		require.Equal(t, "marked for deletion on 2999-01-02", r.Objects[2].Note)
		require.Equal(t, schema.Ref{ID: "13", Path: "acme/sub"}, *schema.AsRef(r.Objects[2].Get("namespace")))
	}
}

// A06: an edition without the feature is told from an owner that is gone.
func TestReadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script script
		state  schema.State
		says   string
	}{
		"owner gone": {script{
			"GET /projects/{id}/hooks": {status: 404, body: `{"message":"404 Project Not Found"}`},
			"GET /projects/{id}":       {status: 404, body: `{"message":"404 Project Not Found"}`},
		}, schema.OwnerAbsent, "project 7 does not exist"},
		"list missing": {script{
			"GET /projects/{id}/hooks": {status: 404, body: `{"message":"404 Not Found"}`},
			"GET /projects/{id}":       {status: 200, body: `{"id":7}`},
		}, schema.Unsupported, "the endpoint is missing, although every host has it"},
		"endpoint missing": {script{"GET /projects/{id}": {status: 200, body: `{"id":7}`}}, schema.Unsupported,
			"the endpoint is missing, although every host has it"},
		"owner hidden": {script{
			"GET /projects/{id}/hooks": {status: 404, body: `{"message":"404 Not Found"}`},
			"GET /projects/{id}":       {status: 403, body: `{"message":"403 Forbidden"}`},
		}, schema.Forbidden, "GET /projects/7"},
		"forbidden": {script{"GET /projects/{id}/hooks": {status: 403, body: `{"message":"403 Forbidden"}`}},
			schema.Forbidden, "GET /projects/7/hooks: 403 Forbidden; requires Maintainer of the project"},
		"broken": {script{"GET /projects/{id}/hooks": {status: 500,
			body: `{"message":"500 Internal Server Error"}`}}, schema.Unreadable, "500"},
		"not JSON": {script{"GET /projects/{id}/hooks": {status: 200, body: `<html>`}}, schema.Unreadable, "hooks"},
		"not a list": {script{"GET /projects/{id}/hooks": {status: 200, body: `[{"url":"x"}]`}}, schema.Unreadable,
			"has no id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := serve(t, c.script)
			r := h.Read(t.Context(), []schema.Query{query(the(projectHook), "7")})[0]
			require.Equal(t, c.state, r.State, "%v", r.Err)
			require.ErrorContains(t, r.Err, c.says)
			require.NotContains(t, r.Err.Error(), "secret-token")
			require.LessOrEqual(t, len(h.asked), 2)
		})
	}
}

// A06: of a kind that hosts may lack, the same is no fault of anything.
func TestReadOfWhatAHostMayLack(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]script{
		"feature missing": {
			"GET /groups/{id}/hooks": {status: 404, body: `{"message":"404 Not Found"}`},
			"GET /groups/{id}":       {status: 200, body: `{"id":7}`},
		},
		"endpoint missing": {"GET /groups/{id}": {status: 200, body: `{"id":7}`}},
	} {
		r := serve(t, s).Read(t.Context(), []schema.Query{query(the(groupHook), "7")})[0]
		require.Equal(t, schema.Unsupported, r.State, name)
		require.ErrorContains(t, r.Err, "group_hook is not supported by this instance", name)
	}
}

// Past ten thousand rows hosts send no totals, and refuse offsets later; only
// links lead on (A20).
func TestReadFollowsLinks(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /groups/{id}/projects": {do: func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		switch {
		case q.Get("pagination") != "keyset":
			q.Set("page", "2")
		case q.Get("id_after") == "":
			q.Set("id_after", "1")
		default:
			reply(w, 200, `[{"id":2,"path":"b"}]`)
			return
		}
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?%s>; rel="next"`, r.Host, r.URL.Path, q.Encode()))
		reply(w, 200, `[{"id":1,"path":"a"}]`)
	}}})
	r := h.Read(t.Context(), []schema.Query{query(the(project), "12", "path")})[0]
	require.NoError(t, r.Err)
	require.Len(t, r.Objects, 2)
}

// A planning client reads every kind and writes none: the host here fails the
// test at anything but GET.
func TestPlanningOnlyReads(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		h := serveTo(t, client.Config{ReadOnly: true}, script{
			"GET /{all...}": {do: func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "allowlist") ||
					k.Holds == schema.Many && (strings.Count(r.URL.Path, "/")%2 == 1 ||
						strings.HasSuffix(r.URL.Path, "_keys")) {
					reply(w, 200, `[]`)
					return
				}
				reply(w, 200, `{"id":7,"slug":"slack","name":"7","full_path":"acme","path_with_namespace":"acme/api","username":"alice","group_id":7,"shared_with_groups":[],"groups":[{"id":12}]}`)
			}},
		})
		if k.API.Item == "" {
			return // read as another kind
		}
		o := schema.Object{Kind: &k.Kind, ID: "7"}
		if a := k.Owner(); a != nil {
			o.Value.Set(a, schema.RefVal(&schema.Ref{ID: "12"}))
			require.NoError(t, h.Read(t.Context(), []schema.Query{query(k, "12")})[0].Err)
		}
		require.NoError(t, h.Find(t.Context(), []schema.Ask{{Kind: &k.Kind, ID: "7", Owner: "12"}})[0].Err)
		reads := len(h.asked)

		if k.API.Items != "" {
			_, err := h.Create(t.Context(), o)
			require.ErrorIs(t, err, client.ErrReadOnly)
			_, err = h.Update(t.Context(), o, schema.Assigns(o, k.Attrs[len(k.Attrs)-1].Name, firstPlain(k)))
			require.ErrorIs(t, err, client.ErrReadOnly)
		}
		require.ErrorIs(t, h.Delete(t.Context(), o), client.ErrReadOnly)
		require.Len(t, h.asked, reads, "a write was sent")
		for _, line := range h.asked {
			require.True(t, strings.HasPrefix(line, "GET "), line)
		}
	})
}

// firstPlain is an attribute that an update sends.
func firstPlain(k *Kind) string {
	for a := range k.Arguments() {
		if a.RefKind() == "" && !hasActionFor(k.API.After, a.Name) && !a.SentOnce() {
			return a.Name
		}
	}
	return k.Attrs[0].Name // its owner: there is nothing else to say of it
}

func TestFiltersLookAtObjectsAlone(t *testing.T) {
	t.Parallel()
	filters := map[string]schema.Filter{}
	for _, f := range projectsSource().Data.Filters {
		filters[f.Arg] = f
	}
	planned := declared(the(project), "path", "Web-Shop")
	require.True(t, filters["search"].Match(planned, valueOf("shop")))
	require.False(t, filters["search"].Match(planned, valueOf("api")))
	require.True(t, filters["search"].Match(declared(the(project), "path", "x", "name", "The API"), valueOf("api")))
	require.True(t, filters["archived"].Match(planned, valueOf(false)), "what is not archived yet is not")
	require.True(t, filters["archived"].Match(declared(the(project), "archived", true), valueOf(true)))
}
