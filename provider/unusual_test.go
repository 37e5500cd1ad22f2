package provider

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// What APIs do in other ways than most, each shown by a kind that is no more
// than a table.
var (
	unusualBranch = Kind{ // changed with PATCH, and addressed by its name
		Kind: schema.Kind{Name: "branch", Collection: "projects/{project}/protected_branches",
			Match: schema.ByKey("name")},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew), String("name", "", Required, ForceNew),
			Bool("allow_force_push", ""), ID(),
		},
		API: REST{Item: "projects/{project}/protected_branches/{name}", Update: http.MethodPatch},
	}
	unusualRule = Kind{ // lists of references, one rule of its sort
		Kind: schema.Kind{Name: "rule", Collection: "projects/{project}/approval_rules",
			Match: schema.ByKey("name").OrSole("rule_type", cty.StringVal("any_approver"))},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew), String("name", "", Required),
			Number("approvals_required", ""),
			String("rule_type", "", ForceNew, Default("regular")),
			References("users", "user", "", Parameter("user_ids"), Field("users")),
			References("groups", "group", "", Parameter("group_ids"), Field("groups")), ID(),
		},
	}
	unusualLink = Kind{ // no id, no update, a deletion by query, and 404 for none
		Kind: schema.Kind{Name: "link", Collection: "groups/{group}/ldap_group_links",
			Match: schema.ByKey("cn", "filter").And("provider")},
		Table: []Attr{
			Reference("group", "group", "", Required, ForceNew), String("provider", "", Required, ForceNew),
			String("cn", "", ForceNew), String("filter", "", ForceNew),
			AccessLevel("group_access", "", Required),
		},
		API: REST{
			ID: "cn,filter,provider", ListOnly: true, EmptyIs404: true, Recreate: true,
			Delete: "groups/{group}/ldap_group_links?provider={provider}&cn={cn}&filter={filter}",
		},
	}
	unusualVariable = Kind{ // addressed by two attributes, one of them in the query
		Kind: schema.Kind{Name: "variable", Collection: "projects/{project}/variables",
			Match: schema.ByKey("key").And("environment_scope")},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew), String("key", "", Required, ForceNew),
			String("environment_scope", "", ForceNew, Default("*")),
			String("value", "", Required, ReadableSecret), Bool("protected", "", Default(false)),
		},
		API: REST{ID: "key,environment_scope",
			Item: "projects/{project}/variables/{key}?filter[environment_scope]={environment_scope}"},
	}
	unusualIntegration = Kind{ // made by PUT, under its own name, with parameters of its sort
		Kind: schema.Kind{Name: "integration", Collection: "projects/{project}/integrations",
			Match: schema.ByKey("slug")},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew),
			String("slug", "", Required, ForceNew, Norm(vendor)), Bool("push_events", ""),
			PartialMap("properties", "", schema.SecretKeys{Hidden: []string{"token"}}, Detail, AlwaysSent),
		},
		API: REST{ID: "slug", Create: http.MethodPut, Items: "projects/{project}/integrations/{slug}",
			Item: "projects/{project}/integrations/{id}"},
	}
	unusualTracking = Kind{ // one or none, made by PUT, and switched off for good
		Kind: schema.Kind{Name: "tracking", Collection: "projects/{project}/error_tracking/settings",
			Match: schema.ByKey("project"), Holds: schema.OneOrNone},
		Table: []Attr{Reference("project", "project", "", Required, ForceNew), Bool("active", "", Required, AlwaysSent),
			Bool("integrated", "", Required, AlwaysSent)},
		API: REST{Create: http.MethodPut, Update: http.MethodPatch, Disable: map[string]any{"active": false}},
	}
	unusualRunner = Kind{ // a creation answers the id and the token, and no more
		Kind: schema.Kind{Name: "runner", Collection: "projects/{project}/runners?type=project_type",
			Match: schema.ByKey("description")},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew, Parameter("project_id")), String("description", ""),
			StringSet("tag_list", "", Detail), ID(), String("token", "", Computed, Secret),
		},
		API: REST{
			Items: "user/runners", Item: "runners/{id}", ReadAfterCreate: true,
			CreateBody: func(_ schema.Object, body map[string]any) error {
				body["runner_type"] = "project_type"
				return nil
			},
		},
	}
	unusualLabel = Kind{ // another name for the name in updates
		Kind: schema.Kind{Name: "label", Collection: "projects/{project}/labels", Match: schema.ByKey("name")},
		Table: []Attr{Reference("project", "project", "", Required, ForceNew),
			String("name", "", Required, UpdateParameter("new_name")), String("color", "", Required), ID()},
	}
	unusualMilestone = Kind{ // a state that events change, and creations cannot
		Kind: schema.Kind{Name: "milestone", Collection: "projects/{project}/milestones", Match: schema.ByKey("title")},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew), String("title", "", Required),
			String("state", "", Parameter("state_event"), Field("state"), SentAfterCreate, Default("active"),
				Encode(func(v cty.Value) any {
					return map[string]string{"active": "activate", "closed": "close"}[v.AsString()]
				})), ID(),
		},
	}
	unusualMirror = Kind{ // credentials that are masked
		Kind: schema.Kind{Name: "mirror", Collection: "projects/{project}/remote_mirrors", Match: schema.ByKey("url")},
		Table: []Attr{
			Reference("project", "project", "", Required, ForceNew),
			String("url", "", Required, ForceNew, Norm(normURL), ShowAs(normURL),
				Masked(schema.SecretPart{Whole: normWholeURL})), Bool("enabled", ""), ID(),
		},
	}
	unusualSettings = Kind{ // always there, and changed by POST
		Kind: schema.Kind{Name: "settings", Collection: "projects/{project}/approvals", Match: schema.ByKey("project"),
			Holds: schema.One},
		Table: []Attr{Reference("project", "project", "", Required, ForceNew), Bool("reset_approvals_on_push", "")},
		API:   REST{Update: http.MethodPost},
	}
	unusualTopic = Kind{ // nobody's
		Kind:  schema.Kind{Name: "topic", Collection: "topics", Match: schema.ByKey("name")},
		Table: []Attr{String("name", "", Required), String("title", ""), ID()},
	}
)

// vendor is the name under which hosts know an integration.
func vendor(v cty.Value) cty.Value {
	if !v.IsNull() && v.AsString() == "task_tracker_a" {
		return cty.StringVal("asana")
	}
	return v
}

// serveUnusual returns a host whose provider knows these kinds as well.
func serveUnusual(t *testing.T, answers script) *host {
	h := serve(t, answers)
	all := standard()
	all.kinds = maps.Clone(all.kinds)
	for _, k := range unusualKinds {
		all.kinds[&k.Kind] = k
	}
	h.registry = func() registry { return all }
	return h
}

var unusualKinds = complete(&unusualBranch, &unusualRule, &unusualLink, &unusualVariable, &unusualIntegration,
	&unusualTracking, &unusualRunner, &unusualLabel, &unusualMilestone, &unusualMirror, &unusualSettings, &unusualTopic)

func complete(kinds ...*Kind) []*Kind {
	for _, k := range kinds {
		if err := k.complete(); err != nil {
			panic(err)
		}
	}
	return kinds
}

func TestUnusualWrites(t *testing.T) {
	t.Parallel()
	yes := func(body string) says { return says{status: 200, body: body} }
	texts := func(pairs ...string) cty.Value {
		m := map[string]cty.Value{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = cty.StringVal(pairs[i+1])
		}
		return cty.MapVal(m)
	}
	people := schema.RefsVal([]*schema.Ref{{ID: "5", Path: "alice"}, {ID: "6", Path: "bob"}})
	branch := declared(&unusualBranch, "project", api, "name", "release/*", "allow_force_push", true)
	rule := declared(&unusualRule, "project", api, "name", "ours", "users", people, "groups", schema.RefsVal(nil))
	link := declared(&unusualLink, "group", acme, "provider", "ldapmain", "cn", "dev", "group_access", "developer")
	variable := declared(&unusualVariable, "project", api, "key", "TOKEN", "environment_scope", "prod", "value",
		cty.StringVal("v").Mark(schema.Secret))
	integration := declared(&unusualIntegration, "project", api, "slug", "task_tracker_a", "push_events", true,
		"properties", texts("url", "https://x", "token", "s"))
	tracking := declared(&unusualTracking, "project", api, "active", true, "integrated", false)
	runner := declared(&unusualRunner, "project", api, "description", "fast", "tag_list", sets("a"))
	label := declared(&unusualLabel, "project", api, "name", "bug", "color", "#fff")
	closed := declared(&unusualMilestone, "project", api, "title", "1.0", "state", "closed")
	active := declared(&unusualMilestone, "project", api, "title", "1.0", "state", "active")
	mirror := declared(&unusualMirror, "project", api, "url", "https://bot:tok@h.example/r.git")
	settings := declared(&unusualSettings, "project", api, "reset_approvals_on_push", false)
	topic := declared(&unusualTopic, "name", "go")

	for name, c := range map[string]struct {
		do      string
		object  schema.Object
		changed []string
		script  script
		asked   []string
	}{
		"a branch is patched in place": {"update", found(branch, "70"), []string{"allow_force_push"},
			script{"PATCH /projects/7/protected_branches/{name}": yes(
				`{"id":70,"name":"release/*","allow_force_push":true}`,
			)},
			[]string{`PATCH /projects/7/protected_branches/release%2F%2A {"allow_force_push":true}`}},
		"a branch is deleted by name": {"delete", found(branch, "70"), nil,
			script{"DELETE /projects/7/protected_branches/{name}": {status: 204}},
			[]string{`DELETE /projects/7/protected_branches/release%2F%2A`}},
		"lists of references are ids, and an empty one is said": {"create", rule, nil,
			script{"POST /projects/7/approval_rules": yes(
				`{"id":1,"name":"ours","users":[{"id":6,"username":"bob"},{"id":5,"username":"alice"}],"groups":[]}`,
			)},
			[]string{`POST /projects/7/approval_rules {"group_ids":[],"name":"ours","user_ids":[5,6]}`}},
		"a link is made anew": {"update", found(link, "dev:ldapmain"), []string{"group_access"},
			script{"GET /groups/12/ldap_group_links": list(`{"cn":"dev","provider":"ldapmain","group_access":10}`),
				"DELETE /groups/12/ldap_group_links": {status: 204},
				"POST /groups/12/ldap_group_links": yes(
					`{"cn":"dev","filter":null,"provider":"ldapmain","group_access":30}`,
				)},
			[]string{`GET /groups/12/ldap_group_links?per_page=100`,
				`DELETE /groups/12/ldap_group_links?cn=dev&provider=ldapmain`,
				`POST /groups/12/ldap_group_links {"cn":"dev","group_access":30,"provider":"ldapmain"}`}},
		"a variable is addressed by its scope, too": {"update", found(variable, "TOKEN:prod"), []string{"value"},
			script{"PUT /projects/7/variables/TOKEN": yes(`{"key":"TOKEN","environment_scope":"prod","value":"v"}`)},
			[]string{`PUT /projects/7/variables/TOKEN {"filter":{"environment_scope":"prod"},"value":"v"}`}},
		"a variable is deleted in its scope": {"delete", found(variable, "TOKEN:prod"), nil,
			script{"DELETE /projects/7/variables/TOKEN": {status: 204}},
			[]string{`DELETE /projects/7/variables/TOKEN?filter%5Benvironment_scope%5D=prod`}},
		"an integration is put where its name is": {"create", integration, nil,
			script{"PUT /projects/7/integrations/asana": yes(
				`{"id":3,"slug":"asana","push_events":true,"properties":{"url":"https://x","room":null}}`,
			)},
			[]string{`PUT /projects/7/integrations/asana {"push_events":true,"token":"s","url":"https://x"}`}},
		"an integration is sent all that is stated": {"update", found(integration, "asana"), []string{"push_events"},
			script{"PUT /projects/7/integrations/asana": yes(
				`{"id":3,"slug":"asana","push_events":true,"properties":{"url":"https://x"}}`,
			)},
			[]string{`PUT /projects/7/integrations/asana {"push_events":true,"token":"s","url":"https://x"}`}},
		"settings that there are none of are put": {"create", tracking, nil,
			script{"PUT /projects/7/error_tracking/settings": yes(`{"active":true,"integrated":false}`)},
			[]string{`PUT /projects/7/error_tracking/settings {"active":true,"integrated":false}`}},
		"what cannot be deleted is switched off": {"delete", found(tracking, "7"), nil,
			script{"PATCH /projects/7/error_tracking/settings": yes(`{"active":false}`)},
			[]string{`PATCH /projects/7/error_tracking/settings {"active":false}`}},
		"a runner is read after it is made": {"create", runner, nil,
			script{"POST /user/runners": yes(`{"id":9,"token":"glrt"}`),
				"GET /runners/9": yes(`{"id":9,"description":"fast","tag_list":["a"]}`)},
			[]string{`POST /user/runners {"description":"fast","project_id":7,"runner_type":"project_type","tag_list":["a"]}`, `GET /runners/9`}},
		"a label is renamed": {"update", found(label, "2"), []string{"name"},
			script{"PUT /projects/7/labels/2": yes(`{"id":2,"name":"bug"}`)},
			[]string{`PUT /projects/7/labels/2 {"new_name":"bug"}`}},
		"a milestone is closed once it is there": {"create", closed, nil,
			script{"POST /projects/7/milestones": yes(`{"id":4,"title":"1.0","state":"active"}`),
				"PUT /projects/7/milestones/4": yes(`{"id":4,"title":"1.0","state":"closed"}`)},
			[]string{`POST /projects/7/milestones {"title":"1.0"}`,
				`PUT /projects/7/milestones/4 {"state_event":"close"}`}},
		"a milestone that is active already stays so": {"create", active, nil,
			script{"POST /projects/7/milestones": yes(`{"id":4,"title":"1.0","state":"active"}`)},
			[]string{`POST /projects/7/milestones {"title":"1.0"}`}},
		"credentials are sent": {"create", mirror, nil,
			script{"POST /projects/7/remote_mirrors": yes(`{"id":5,"url":"https://*****:*****@h.example/r.git"}`)},
			[]string{`POST /projects/7/remote_mirrors {"url":"https://bot:tok@h.example/r.git"}`}},
		"settings are posted": {"update", found(settings, "7"),
			[]string{"reset_approvals_on_push"},
			script{"POST /projects/7/approvals": yes(`{"reset_approvals_on_push":false}`)},
			[]string{`POST /projects/7/approvals {"reset_approvals_on_push":false}`}},
		"what is nobody's": {"create", topic, nil,
			script{"POST /topics": yes(`{"id":6,"name":"go"}`)}, []string{`POST /topics {"name":"go"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := serveUnusual(t, c.script)
			var err error
			switch c.do {
			case "create":
				var o schema.Object
				if o, err = h.Create(t.Context(), c.object); err == nil {
					require.NotEmpty(t, o.ID)
				}
			case "update":
				_, err = h.Update(t.Context(), c.object, schema.Assigns(c.object, c.changed...))
			default:
				err = h.Delete(t.Context(), c.object)
			}
			require.NoError(t, err)
			require.Equal(t, c.asked, h.asked)
		})
	}
}

func TestUnusualReads(t *testing.T) {
	t.Parallel()
	h := serveUnusual(t, script{
		"GET /groups/12/ldap_group_links": {status: 404, body: `{"message":"404 No linked LDAP groups found"}`},
		"GET /groups/12":                  {status: 200, body: `{"id":12}`},
		"GET /projects/7/approval_rules":  list(`{"id":1,"name":"ours","rule_type":"regular","users":[{"id":6,"username":"bob"},{"id":5,"username":"alice"}],"groups":[{"id":12,"name":"Acme","full_path":"acme"}]}`),
		"GET /projects/7/variables": list(`{"key":"TOKEN","environment_scope":"prod","value":"v"}`,
			`{"key":"TOKEN","environment_scope":"*","value":null}`),
		"GET /projects/7/protected_branches": list(`{"id":70,"name":"main"}`, `{"id":71,"name":"release/*"}`),
		"GET /projects/7/integrations/asana": {status: 200,
			body: `{"id":3,"slug":"asana","properties":{"url":"https://x","archive":true,"room":null}}`},
		"GET /projects/7/error_tracking/settings": {status: 200, body: `{"active":true,"integrated":false}`},
		"GET /topics": list(`{"id":6,"name":"go"}`),
	})
	read := func(k *Kind, owner string, keep ...string) []schema.Object {
		r := h.Read(t.Context(), []schema.Query{{Kind: &k.Kind, Collection: k.In(owner), Keep: keep}})[0]
		require.NoError(t, r.Err)
		return r.Objects
	}
	require.Empty(t, read(&unusualLink, "12"), "a 404 is an empty list where the owner is there")

	rule := read(&unusualRule, "7", "users", "groups")[0]
	same := schema.RefsVal([]*schema.Ref{{Path: "Alice"}, {ID: "6"}})
	require.True(t, unusualRule.Attr("users").Equal(rule.Get("users"), same), "in any order, by name or id")
	require.Equal(t, "acme", schema.Refs(rule.Get("groups"))[0].Path)
	require.Equal(t, map[string]string{"rule_type": `"regular"`}, fields(t, rule, "rule_type"),
		"what matching looks at is kept")

	variables := read(&unusualVariable, "7", "value")
	require.Equal(t, "TOKEN:prod", variables[0].ID)
	require.True(t, schema.IsSecret(variables[0].Get("value")))
	_, told := variables[1].Value.Get("value")
	require.False(t, told, "a hidden one is not told")

	found := h.Find(t.Context(), []schema.Ask{{Kind: &unusualBranch.Kind, Owner: "7", ID: "71"},
		{Kind: &unusualIntegration.Kind, Owner: "7", ID: "asana"}, {Kind: &unusualBranch.Kind, Owner: "7", ID: "72"}})
	require.Equal(t, `"release/*"`, showValue(unusualBranch.Attr("name"), found[0].Objects[0].Get("name")),
		"from the list")
	properties := found[1].Objects[0].Get("properties")
	require.Equal(t, `"true"`, schema.Encode(properties.Index(cty.StringVal("archive"))))
	stated := cty.MapVal(map[string]cty.Value{"url": cty.StringVal("https://x"), "token": cty.StringVal("t"),
		"room": cty.StringVal("")})
	require.True(t, unusualIntegration.Attr("properties").Agrees(stated, properties), "as far as it is shown")
	require.Equal(t, schema.Absent, found[2].State)

	require.Equal(t, "7", read(&unusualTracking, "7", "active")[0].ID, "what has no id goes by its owner's")
	require.Equal(t, "6", read(&unusualTopic, "")[0].ID)
}

// What a host quotes of what it refuses is hidden, also where only a part of a
// value is secret.
func TestUnusualErrorsHideSecrets(t *testing.T) {
	t.Parallel()
	h := serveUnusual(t, script{
		"POST /projects/7/remote_mirrors": {status: 400,
			body: `{"message":"https://bot:hunter2@h.example/r.git is blocked"}`},
		"PUT /projects/7/integrations/asana": {status: 400, body: `{"message":"token hunter2 of https://x is wrong"}`},
	})
	_, err := h.Create(t.Context(), declared(&unusualMirror, "project", api, "url",
		"https://bot:hunter2@h.example/r.git"))
	require.ErrorContains(t, err, "h.example/r.git is blocked")
	require.NotContains(t, err.Error(), "hunter2")
	_, err = h.Create(t.Context(), declared(&unusualIntegration, "project", api, "slug", "asana", "properties",
		cty.MapVal(map[string]cty.Value{"url": cty.StringVal("https://x"), "token": cty.StringVal("hunter2")})))
	require.ErrorContains(t, err, "of https://x is wrong")
	require.NotContains(t, err.Error(), "hunter2")
}
