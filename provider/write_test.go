package provider

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

var (
	acme  = &schema.Ref{ID: "12", Path: "acme"}
	other = &schema.Ref{ID: "13", Path: "other"}
	api   = &schema.Ref{ID: "7", Path: "acme/api"}
	alice = &schema.Ref{ID: "5", Path: "alice"}
)

func TestCreate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want   schema.Object
		script script
		asked  []string
		fields map[string]string
	}{
		"group, named like its path": {
			declared(the(group), "path", "web", "visibility", "internal", "lfs_enabled", false),
			script{"POST /groups": {status: 201,
				body: `{"id":3,"path":"web","name":"web","full_path":"web","visibility":"internal","lfs_enabled":false,"web_url":"https://h/web"}`}},
			[]string{`POST /groups {"lfs_enabled":false,"name":"web","path":"web","visibility":"internal"}`},
			map[string]string{"id": "3", "full_path": `"web"`, "web_url": `"https://h/web"`, "lfs_enabled": "false"},
		},
		"subgroup, with what a creation ignores": {
			declared(the(group), "parent", acme, "path", "web", "prevent_forking_outside_group", true),
			script{
				"POST /groups": {status: 201,
					body: `{"id":3,"full_path":"acme/web","path":"web","parent_id":12,"prevent_forking_outside_group":false}`},
				"PUT /groups/{id}": {status: 200,
					body: `{"id":3,"full_path":"acme/web","path":"web","parent_id":12,"prevent_forking_outside_group":true}`},
			},
			[]string{
				`POST /groups {"name":"web","parent_id":12,"path":"web"}`,
				`PUT /groups/3 {"prevent_forking_outside_group":true}`,
			},
			map[string]string{"parent": "acme", "prevent_forking_outside_group": "true"},
		},
		"project, archived at once": {
			declared(the(project), "namespace", acme, "path", "api", "archived", true, "initialize_with_readme", true,
				"topics", cty.SetVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})),
			script{
				"POST /projects": {status: 201,
					body: `{"id":7,"path":"api","namespace":{"id":12,"full_path":"acme"},"archived":false,"topics":["b","a"]}`},
				"POST /projects/{id}/archive": {status: 201,
					body: `{"id":7,"path":"api","namespace":{"id":12,"full_path":"acme"},"archived":true,"topics":["b","a"]}`},
			},
			[]string{
				`POST /projects {"initialize_with_readme":true,"name":"api","namespace_id":12,"path":"api","topics":["a","b"]}`,
				`POST /projects/7/archive`,
			},
			map[string]string{"archived": "true", "namespace": "acme"},
		},
		"project, not archived": {
			declared(the(project), "namespace", acme, "path", "api", "archived", false),
			script{"POST /projects": {status: 201,
				body: `{"id":7,"path":"api","namespace":{"id":12},"archived":false}`}},
			[]string{`POST /projects {"name":"api","namespace_id":12,"path":"api"}`},
			map[string]string{"archived": "false"},
		},
		"member by name, without expiry": {
			declared(the(groupMember), "group", acme, "user", alice, "access_level", "owner", "expires_at", ""),
			script{"POST /groups/{id}/members": {status: 201,
				body: `{"id":5,"username":"alice","access_level":50,"expires_at":null}`}},
			[]string{`POST /groups/12/members {"access_level":50,"expires_at":null,"user_id":5}`},
			map[string]string{"user": "alice", "group": "12", "access_level": "owner"},
		},
		"member by number, until a day": {
			declared(the(groupMember), "group", acme, "user", alice, "access_level", 25, "expires_at",
				"2999-09-26 10:00:00"),
			script{"POST /groups/{id}/members": {status: 201,
				body: `{"id":5,"username":"alice","access_level":25,"expires_at":"2999-09-26"}`}},
			[]string{`POST /groups/12/members {"access_level":25,"expires_at":"2999-09-26","user_id":5}`},
			map[string]string{"access_level": "25", "expires_at": `"2999-09-26"`},
		},
		"hook with secrets": {
			declared(the(projectHook), "project", api, "url", "https://h.example/{k}", "token",
				cty.StringVal("s3cret").Mark(schema.Secret),
				"custom_headers", cty.MapVal(map[string]cty.Value{"X-Key": cty.StringVal("v").Mark(schema.Secret)})),
			script{"POST /projects/{id}/hooks": {status: 201,
				body: `{"id":71,"url":"https://h.example/{k}","push_events":true,"alert_status":"executable","custom_headers":[{"key":"X-Key"}]}`}},
			[]string{`POST /projects/7/hooks {"custom_headers":[{"key":"X-Key","value":"v"}],"token":"s3cret","url":"https://h.example/{k}"}`},
			// D17: what is not stated is not sent; conditions and outputs may ask for it all the
			// same.
			map[string]string{"id": "71", "alert_status": `"executable"`, "push_events": "true"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := serve(t, c.script)
			o, err := h.Create(t.Context(), c.want)
			require.NoError(t, err)
			require.Equal(t, c.asked, h.asked)
			var names []string
			for n := range c.fields {
				names = append(names, n)
			}
			require.Equal(t, c.fields, fields(t, o, names...))
		})
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	hook := declared(the(projectHook), "project", api, "url", "https://h.example/", "token", "s3cret", "push_events",
		false)
	headers := declared(the(projectHook), "project", api, "url", "https://h.example/", "custom_headers",
		cty.MapVal(map[string]cty.Value{"New": cty.StringVal("1")}))
	none := declared(the(projectHook), "project", api, "url", "https://h.example/", "custom_headers",
		cty.NullVal(cty.Map(cty.String)))
	moved := declared(the(projectHook), "project", api, "url", "https://h.example/", "token", "s3cret",
		"url_variables", cty.MapVal(map[string]cty.Value{"host": cty.StringVal("b")}),
		"custom_headers", cty.MapVal(map[string]cty.Value{"New": cty.StringVal("1")}))
	hookAnswer := func(rest string) says {
		return says{status: 200, body: `{"id":71,"url":"https://h.example/"` + rest + `}`}
	}
	for name, c := range map[string]struct {
		from, to schema.Object
		changed  []string
		script   script
		asked    []string
	}{
		"a hook's flag sends the url along": {
			found(hook, "71"), hook, []string{"push_events"},
			script{"PUT /projects/7/hooks/71": hookAnswer(`,"push_events":false`)},
			[]string{`PUT /projects/7/hooks/71 {"push_events":false,"url":"https://h.example/"}`},
		},
		"a hook's url sends the token along": {
			found(hook, "71"), hook, []string{"url"},
			script{"PUT /projects/7/hooks/71": hookAnswer("")},
			[]string{`PUT /projects/7/hooks/71 {"token":"s3cret","url":"https://h.example/"}`},
		},
		"a hook's variables, which may name its host, send all that is for that host along": {
			found(moved, "71"), moved, []string{"url_variables"},
			script{"PUT /projects/7/hooks/71": hookAnswer(
				`,"url_variables":[{"key":"host"}],"custom_headers":[{"key":"New"}]`,
			)},
			[]string{`PUT /projects/7/hooks/71 {"custom_headers":[{"key":"New","value":"1"}],` +
				`"token":"s3cret","url":"https://h.example/","url_variables":[{"key":"host","value":"b"}]}`},
		},
		"a header that goes is deleted": {
			found(headers, "71"), headers, []string{"custom_headers"},
			script{
				"PUT /projects/7/hooks/71": hookAnswer(
					`,"custom_headers":[{"key":"New"},{"key":"X/Old"}]`,
				),
				"DELETE /projects/7/hooks/71/custom_headers/{key}": {status: 204},
			},
			[]string{
				`PUT /projects/7/hooks/71 {"custom_headers":[{"key":"New","value":"1"}],"url":"https://h.example/"}`,
				`DELETE /projects/7/hooks/71/custom_headers/X%2FOld`,
			},
		},
		"all headers go": {
			found(none, "71"), none, []string{"custom_headers"},
			script{
				"PUT /projects/7/hooks/71":                         hookAnswer(`,"custom_headers":[{"key":"A"}]`),
				"DELETE /projects/7/hooks/71/custom_headers/{key}": {status: 404, body: `{"message":"404 Not found"}`},
			},
			[]string{
				`PUT /projects/7/hooks/71 {"custom_headers":[],"url":"https://h.example/"}`,
				`DELETE /projects/7/hooks/71/custom_headers/A`,
			},
		},
		"a member's expiry is cleared and the role goes along": {
			found(declared(the(groupMember), "group", acme, "user", alice, "access_level", 30), "5"),
			declared(the(groupMember), "group", acme, "user", alice, "access_level", "developer", "expires_at", ""),
			[]string{"expires_at"},
			script{"PUT /groups/12/members/5": {status: 200,
				body: `{"id":5,"username":"alice","access_level":30,"expires_at":null}`}},
			[]string{`PUT /groups/12/members/5 {"access_level":30,"expires_at":null}`},
		},
		"a group is renamed and transferred": {
			found(declared(the(group), "parent", acme, "path", "old"), "3"),
			declared(the(group), "parent", other, "path", "new"), []string{"parent", "path"},
			script{
				"POST /groups/3/transfer": {status: 201, body: `{"id":3,"path":"old","parent_id":13}`},
				"PUT /groups/3":           {status: 200, body: `{"id":3,"path":"new","parent_id":13}`},
			},
			[]string{`POST /groups/3/transfer {"group_id":13}`, `PUT /groups/3 {"path":"new"}`},
		},
		"a group goes to the top level": {
			found(declared(the(group), "parent", acme, "path", "web"), "3"),
			declared(the(group), "path", "web"), []string{"parent"},
			script{"POST /groups/3/transfer": {status: 201,
				body: `{"id":3,"path":"web","parent_id":null,"full_path":"web"}`}},
			[]string{`POST /groups/3/transfer`},
		},
		"a project is brought back before it is changed": {
			found(declared(the(project), "namespace", acme, "archived", true), "7"),
			declared(the(project), "namespace", other, "archived", false, "description", ""),
			[]string{"archived", "namespace", "description"},
			script{
				"POST /projects/7/unarchive": {status: 201,
					body: `{"id":7,"namespace":{"id":12},"archived":false,"description":"x"}`},
				"PUT /projects/7/transfer": {status: 200,
					body: `{"id":7,"namespace":{"id":13},"archived":false,"description":"x"}`},
				"PUT /projects/7": {status: 200,
					body: `{"id":7,"namespace":{"id":13},"archived":false,"description":null}`},
			},
			[]string{`POST /projects/7/unarchive`, `PUT /projects/7/transfer {"namespace":13}`,
				`PUT /projects/7 {"description":""}`},
		},
		"a group is restored before it is changed": {
			schema.Object{Kind: &the(group).Kind, ID: "3", State: schema.PendingDeletion},
			declared(the(group), "path", "web", "description", "x"), []string{"description"},
			script{
				"POST /groups/3/restore": {status: 201, body: `{"id":3,"description":""}`},
				"PUT /groups/3":          {status: 200, body: `{"id":3,"description":"x"}`},
			},
			[]string{`POST /groups/3/restore`, `PUT /groups/3 {"description":"x"}`},
		},
		"a project is restored and no more": {
			schema.Object{Kind: &the(project).Kind, ID: "7", State: schema.PendingDeletion},
			declared(the(project), "namespace", acme, "path", "api"), nil,
			script{"POST /projects/7/restore": {status: 201, body: `{"id":7,"path":"api"}`}},
			[]string{`POST /projects/7/restore`},
		},
		"a project is changed before it is archived": {
			found(declared(the(project), "namespace", acme, "archived", false), "7"),
			declared(the(project), "namespace", acme, "archived", true, "lfs_enabled", false, "initialize_with_readme",
				true), []string{"archived", "lfs_enabled", "initialize_with_readme"},
			script{
				"PUT /projects/7": {status: 200,
					body: `{"id":7,"namespace":{"id":12},"archived":false,"lfs_enabled":false}`},
				"POST /projects/7/archive": {status: 201,
					body: `{"id":7,"namespace":{"id":12},"archived":true,"lfs_enabled":false}`},
			},
			[]string{`PUT /projects/7 {"lfs_enabled":false}`, `POST /projects/7/archive`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := serve(t, c.script)
			o, err := h.Update(t.Context(), c.from, schema.Assigns(c.to, c.changed...))
			require.NoError(t, err)
			require.Equal(t, c.asked, h.asked)
			require.Equal(t, c.from.ID, o.ID)
		})
	}
}

// Nobody answered, so nobody knows: the collection does.
func TestCreationsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	broken := says{do: func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }}
	h := serve(t, script{
		"POST /projects/{id}/hooks": broken,
		"GET /projects/{id}/hooks": list(`{"id":70,"url":"https://other/"}`,
			`{"id":71,"url":"https://H.example/"}`),
		"GET /projects/{id}/hooks/71": {status: 200,
			body: `{"id":71,"url":"https://H.example/","alert_status":"executable"}`},
		"POST /projects":                     broken,
		"POST /projects/{id}/access_tokens":  broken,
		"GET /projects/{id}/access_tokens":   list(`{"id":3,"name":"ci","active":true}`),
		"GET /projects/{id}/access_tokens/3": {status: 200, body: `{"id":3,"name":"ci","active":true}`},
		"GET /projects/acme%2Fapi": {status: 200,
			body: `{"id":7,"path":"api","path_with_namespace":"acme/api","namespace":{"id":12}}`},
		"GET /projects/7": {status: 200,
			body: `{"id":7,"path":"api","path_with_namespace":"acme/api","namespace":{"id":12}}`},
		"GET /projects/acme%2Fmissing": {status: 404, body: `{"message":"404 Project Not Found"}`},
	})
	o, err := h.Create(t.Context(), declared(the(projectHook), "project", api, "url", "https://h.example"))
	require.NoError(t, err)
	require.Equal(t, "71", o.ID)
	require.Equal(t, "executable", stringOf(o, "alert_status"))

	o, err = h.Create(t.Context(), declared(the(project), "namespace", acme, "path", "api", "path_with_namespace",
		"acme/api"))
	require.NoError(t, err)
	require.Equal(t, "7", o.ID)

	_, err = h.Create(t.Context(), declared(the(project), "namespace", acme, "path", "missing", "path_with_namespace",
		"acme/missing"))
	require.True(t, client.IsUnknown(err))
	require.ErrorIs(t, err, schema.ErrUnknown)

	o, err = h.Create(t.Context(), declared(the(projectAccessToken), "project", api, "name", "ci", "scopes",
		cty.SetVal([]cty.Value{cty.StringVal("api")})))
	require.Equal(t, "3", o.ID)
	require.ErrorIs(t, err, schema.ErrUnseen, "nobody has the token")
	posts := 0
	for _, line := range h.asked {
		if strings.HasPrefix(line, "POST") {
			posts++
		}
	}
	require.Equal(t, 4, posts, "no creation is repeated")
}

// D06: an empty text is a value like any other. Of whichever kind, and where the host takes it, it
// is sent as it is; and no word stands for it, where there is a list of words.
func TestEmptyTextsAreSent(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		if k.API.Items == "" || k.Data != nil || k.API.Recreate {
			return
		}
		for a := range k.Arguments() {
			for _, word := range []string{"nil", "null", "none"} {
				if len(a.Accepts.Words) > 0 && !slices.Contains(a.Accepts.Words, word) {
					require.Error(t, a.Accepts.Check(cty.StringVal(word)), "%s = %q", a.Name, word)
				}
			}
			empty := cty.StringVal("")
			if a.Type != cty.String || a.RefKind() != "" || a.SentOnce() || a.Mode == schema.Required ||
				a.Accepts.Check != nil && a.Accepts.Check(empty) != nil {
				continue
			}
			h := serve(t, script{"PUT /{all...}": {status: 200, body: `{"id":7}`}})
			to := standing(k)
			to.Value.Set(a, empty)
			_, _ = h.Update(t.Context(), standing(k), schema.Assigns(to, a.Name))
			require.Len(t, h.asked, 1, a.Name)
			require.Regexp(t, `"`+k.row(a.Name).createName()+`":(""|null)[,}]`, h.asked[0], "null empties a day")
		}
	})
}
