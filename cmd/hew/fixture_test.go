package main

import (
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// Kinds as the provider has them, cut down to what a view can meet: a key, an
// owner, a shown form, a secret, a default, a fixed attribute, collections.
var (
	levels = map[string]string{"30": "developer", "40": "maintainer", "50": "owner"}

	groupKind = &schema.Kind{Name: "group", Match: schema.ByKey("full_path"), Tree: &schema.Tree{Full: "full_path"}, Attrs: []schema.Attr{
		{Name: "path", Type: cty.String, Mode: schema.Required},
		{Name: "visibility", Type: cty.String, Default: schema.Value(cty.StringVal("private"))},
		{Name: "description", Type: cty.String, Default: schema.Value(cty.StringVal(""))},
		{Name: "topics", Type: cty.List(cty.String)},
		{Name: "parent", Type: cty.DynamicPseudoType, Ref: "group", Fixed: true},
		{Name: "full_path", Type: cty.String, Mode: schema.Computed},
	}}
	memberKind = &schema.Kind{Name: "group_member", Collection: "groups/{group}/members", Match: schema.ByKey("user"), Attrs: []schema.Attr{
		{Name: "group", Type: cty.DynamicPseudoType, Ref: "group"},
		{Name: "user", Type: cty.DynamicPseudoType, Ref: "user"},
		{Name: "access_level", Type: cty.DynamicPseudoType, Show: func(v cty.Value) string {
			return levels[v.AsBigFloat().Text('f', -1)]
		}},
		{Name: "expires_at", Type: cty.String},
	}}
	hookKind = &schema.Kind{Name: "project_hook", Collection: "projects/{project}/hooks", Match: schema.ByKey("url"), Attrs: []schema.Attr{
		{Name: "project", Type: cty.DynamicPseudoType, Ref: "project", Fixed: true},
		{Name: "url", Type: cty.String},
		{Name: "token", Type: cty.String, Secret: true},
		{Name: "branch_filter", Type: cty.String},
		{Name: "push_events", Type: cty.Bool, Default: schema.Value(cty.True)},
		{Name: "note_events", Type: cty.Bool, Default: schema.Value(cty.False)},
	}}
)

// leak is the secret that no view may print.
const leak = "hunter2-hunter2"

var (
	str   = cty.StringVal
	num   = cty.NumberIntVal
	token = str(leak).Mark(schema.Secret)
)

type attrs map[string]cty.Value

// object holds values in the order of the kind's table.
func object(k *schema.Kind, id string, values attrs) schema.Object {
	o := schema.Object{Kind: k, ID: id}
	for i := range k.Attrs {
		if v, ok := values[k.Attrs[i].Name]; ok {
			o.Value.Set(&k.Attrs[i], v)
		}
	}
	return o
}

func at(k *schema.Kind, name, key, elem string) addr.Instance {
	kind := k.Name
	if k == memberKind {
		kind = "group_members"
	}
	if key != "" {
		key = addr.StringKey(key)
	}
	return addr.Instance{Block: addr.Block{Kind: kind, Name: name}, Key: key, Elem: elem}
}

// foreign is the address of a group in Terraform's names.
func foreign(name string) addr.Instance {
	return addr.Instance{Block: addr.Block{Kind: "gitlab_group", Name: name}}
}

func path(k *schema.Kind, name string, before, after cty.Value, cause plan.Cause, note string) plan.PathChange {
	return plan.PathChange{Attr: k.Attr(name), Before: before, After: after, Cause: cause, Note: note}
}

func created(a addr.Instance, o schema.Object, title string) plan.Change {
	c := plan.Change{Addr: a, Action: plan.Create, Kind: o.Kind, Title: title, After: o, Cause: plan.ByConfig}
	for at, v := range o.Value.All() {
		c.Paths = append(c.Paths, path(o.Kind, at.Name, cty.NullVal(at.Type), v, plan.ByConfig, ""))
	}
	return c
}

func declared(line int) *hcl.Range {
	return &hcl.Range{Filename: "main.hcl", Start: hcl.Pos{Line: line, Column: 1}, End: hcl.Pos{Line: line, Column: 20}}
}

func member(level int64) attrs { return attrs{"access_level": num(level)} }

var acmeMembers = schema.Collection{Path: "groups/7/members"}

// plans are what the views are tried on, by name.
var plans = map[string]*plan.Plan{
	"estate":  estate(),
	"hostile": hostile(),
	"opened":  opened(),
	"nothing": {Applyable: true, Stats: plan.Stats{Requests: 38, Seconds: 0.41, Objects: 1}, Changes: []plan.Change{
		{Addr: at(groupKind, "acme", "", ""), Action: plan.NoOp, Kind: groupKind, Title: "acme"},
	}},
	// Blocks in Terraform's names: people read these, programs the kind's own.
	"terraform": {Applyable: true, Digest: "d1", Stats: plan.Stats{Requests: 3, Seconds: 0.1, Objects: 2}, Changes: []plan.Change{
		created(foreign("new"), object(groupKind, "", attrs{"path": str("new"), "parent": num(7)}), "acme/new"),
		{Addr: foreign("old"), Action: plan.Adopt, Kind: groupKind, Title: "acme/old", Before: object(groupKind, "8", nil), Paths: []plan.PathChange{
			path(groupKind, "visibility", str("public"), str("private"), plan.Unknown, ""),
			path(groupKind, "topics", cty.ListValEmpty(cty.String), cty.TupleVal([]cty.Value{str("a")}), plan.Unknown, ""),
		}},
	}},
	// The sample of the handbook: drift, a set by its elements, an adoption.
	"sample": {Applyable: true, Digest: "d1", Stats: plan.Stats{Requests: 38, Seconds: 0.41, Objects: 6}, Sizes: map[schema.Collection]int{acmeMembers: 42},
		Changes: []plan.Change{
			{Addr: at(groupKind, "platform", "", ""), Action: plan.Update, Kind: groupKind, Title: "acme/platform", Cause: plan.ByDrift, Decl: declared(1),
				Before: object(groupKind, "9", attrs{"full_path": str("acme/platform")}),
				Paths:  []plan.PathChange{path(groupKind, "visibility", str("internal"), str("private"), plan.ByDrift, "")}},
			{Addr: at(memberKind, "platform", "", "alice"), Action: plan.NoOp, Kind: memberKind, Collection: acmeMembers},
			{Addr: at(memberKind, "platform", "", "bob"), Action: plan.Update, Kind: memberKind, Collection: acmeMembers, Cause: plan.ByConfig,
				Paths: []plan.PathChange{path(memberKind, "access_level", num(30), num(40), plan.ByConfig, "")}},
			func() plan.Change {
				c := created(at(memberKind, "platform", "", "dora"), object(memberKind, "", member(30)), "")
				c.Collection = acmeMembers
				return c
			}(),
			{Addr: at(memberKind, "platform", "", "eve"), Action: plan.Delete, Kind: memberKind, Collection: acmeMembers, Cause: plan.ByDrift,
				Why: "not in the configuration (exclusive)", Before: object(memberKind, "5", member(50))},
			{Addr: at(hookKind, "ci", "acme/platform/api", ""), Action: plan.Adopt, Kind: hookKind, Owner: "acme/platform/api", Cause: plan.Unknown,
				Before: object(hookKind, "71", attrs{"url": str("https://ci.example.com/hook")}),
				Paths:  []plan.PathChange{path(hookKind, "token", cty.NilVal, token, plan.Unknown, "not readable")}},
		}},
	// Every way of writing a value.
	"values": {Applyable: true, Changes: []plan.Change{
		created(at(groupKind, "new", "", ""), object(groupKind, "", attrs{
			"path": str("new"), "parent": schema.RefVal(&schema.Ref{Addr: "group.acme"}), "topics": cty.ListVal([]cty.Value{str("a"), str(`\d ${x}`)}),
			"description": str("one\ntwo ${three}\n"),
		}), "acme/new"),
		created(at(groupKind, "many", "", ""), object(groupKind, "", attrs{"path": str("many"), "topics": list12("x")}), "acme/many"),
		created(at(hookKind, "ci", "", ""), object(hookKind, "", attrs{
			"project": cty.DynamicVal, "url": cty.UnknownVal(cty.String), "token": token,
		}), "https://ci.example.com/hook"),
		{Addr: at(groupKind, "long", "", ""), Action: plan.Update, Kind: groupKind, Title: "acme/long \x1b[2J", Cause: plan.ByConfig, Paths: []plan.PathChange{
			path(groupKind, "description", str("a\nb\nc\nd\ne\nf\ng\nh\n"), str("a\nb\nc\nd\nE\nf\ng\nh\n"), plan.ByBoth, ""),
			path(groupKind, "topics", list12("x"), list12("y"), plan.ByConfig, ""),
			path(groupKind, "path", str("Everything about the platform and its many services"), str("Everything about the Platform and all its many services"), plan.ByConfig, ""),
			path(groupKind, "visibility", str("public"), cty.NullVal(cty.String), plan.ByConfig, "back to its default"),
			path(groupKind, "description", str("with "+leak), token, plan.ByConfig, ""),
			path(groupKind, "description", token, str("without"), plan.ByConfig, ""),
		}},
		{Addr: at(groupKind, "moved", "", ""), From: at(groupKind, "old", "", ""), Action: plan.Move, Kind: groupKind, Title: "acme/moved"},
		{Addr: at(groupKind, "gone", "", ""), Action: plan.Release, Kind: groupKind, Title: "acme/gone"},
		{Addr: at(hookKind, "other", "", ""), Action: plan.Replace, Kind: hookKind, Title: "acme/api: https://x", Cause: plan.ByConfig, Paths: []plan.PathChange{
			path(hookKind, "project", schema.RefVal(&schema.Ref{ID: "4", Path: "acme/api"}), schema.RefVal(&schema.Ref{ID: "5", Path: "acme/web"}), plan.ByConfig, "needs a new object"),
			path(hookKind, "token", cty.NilVal, token, plan.ByConfig, ""),
		}},
		{Addr: addr.Instance{Block: addr.Block{Mode: addr.Exclusive, Kind: "project_hook", Name: "all"}, Key: addr.StringKey("acme/api"), Elem: "71"}, Action: plan.Delete,
			Kind: hookKind, Title: "acme/api: https://old.example.com", Cause: plan.ByDrift, Why: "no resource declares it"},
		{Addr: at(hookKind, "other", "", "").Depose("7"), Action: plan.Delete, Kind: hookKind, Title: "https://x", Owner: "acme/api", Cause: plan.ByConfig, Before: object(hookKind, "7", nil)},
		{Addr: at(memberKind, "team", "", "bob").Depose("9"), Action: plan.Delete, Kind: memberKind, Title: "bob", Owner: "acme", Cause: plan.ByConfig, Before: object(memberKind, "9", nil)},
		{Addr: at(hookKind, "found", "", ""), Action: plan.Adopt, Kind: hookKind, Owner: "acme/api", Before: object(hookKind, "72", nil)},
	}, Outputs: []config.Output{
		{Name: "url", Value: str("https://host/acme"), Doc: "Where it is."},
		{Name: "id", Value: cty.UnknownVal(cty.Number)},
		{Name: "secret", Value: str(leak), Sensitive: true},
		{Name: "long", Value: list12("x")},
		{Name: "map", Value: cty.ObjectVal(map[string]cty.Value{"a b": num(1), "c": cty.True, "s": token})},
	}},
	// What keeps a plan from being done.
	"trouble": {Changes: []plan.Change{
		{Addr: at(groupKind, "acme", "", ""), Action: plan.Delete, Kind: groupKind, Title: "acme", Decl: declared(3), Cause: plan.ByConfig},
	}, Guards: []plan.Finding{{Code: "mass-delete", Text: "12 of 40 hooks of acme/api would be deleted; the limit is 10 (25 %).",
		Fix: "Raise max_deletes in hew { guards { … } } if that is meant.", Objects: many(12), Decl: declared(3)}},
		Blocked: []config.Blocked{{Addr: at(hookKind, "ci", "acme/api", ""), Why: "403 Forbidden: it takes Maintainer of the project.", Decl: *declared(12)},
			{Addr: at(hookKind, "ci", "acme/web", ""), Why: "Its project is not planned.", By: []addr.Instance{at(groupKind, "web", "", "")}, Decl: *declared(12)},
			{Addr: at(groupKind, "waits", "", ""), Why: "Depends on project_hook.ci, which is blocked.", By: []addr.Instance{at(hookKind, "ci", "acme/api", "")}, Decl: *declared(20)},
			{Addr: at(groupKind, "too", "", ""), Why: "Depends on group.waits, which is blocked.", By: []addr.Instance{at(groupKind, "waits", "", "")}, Decl: *declared(21)}},
		Notes: []string{"terraform {} blocks are ignored."}},
	// What a nightly run finds, with who did it and when.
	"night": {Host: "https://git.example.com", Changes: []plan.Change{
		{Addr: at(hookKind, "ci", "", ""), Action: plan.Update, Kind: hookKind, Title: "https://ci.example.com/hook", Owner: "acme/api", Cause: plan.ByDrift,
			Before: schema.Object{Kind: hookKind, ID: "7", Trace: &schema.Trace{Made: "2025-01-01T00:00:00Z", By: "root", Changed: "2026-11-27T22:03:04.567Z"}},
			Paths:  []plan.PathChange{path(hookKind, "push_events", cty.False, cty.True, plan.ByDrift, "")}},
		{Addr: addr.Instance{Block: addr.Block{Mode: addr.Exclusive, Kind: "project_hook", Name: "all"}, Key: addr.StringKey("acme/api"), Elem: "71"}, Action: plan.Delete,
			Kind: hookKind, Title: "https://old.example.com", Owner: "acme/api", Cause: plan.ByDrift, Why: "not in the configuration (exclusive)",
			Before: schema.Object{Kind: hookKind, ID: "71", Trace: &schema.Trace{Made: "2026-11-27T23:59:59+02:00"}}},
	}, Strays: []plan.Stray{
		{Object: schema.Object{Kind: groupKind, ID: "12"}, Title: "acme/tmp"},
		{Object: schema.Object{Kind: memberKind, ID: "5", Trace: &schema.Trace{Made: "a while ago", By: "root"}}, Title: "eve", Owner: "acme"},
	}},
	"ledgerless": {Applyable: true, Ledgerless: true, Changes: []plan.Change{
		{Addr: at(groupKind, "acme", "", ""), Action: plan.Adopt, Kind: groupKind, Title: "acme", Cause: plan.Unknown, Before: object(groupKind, "7", nil),
			Paths: []plan.PathChange{path(groupKind, "visibility", str("public"), str("private"), plan.Unknown, "")}},
	}},
}

func list12(last string) cty.Value {
	all := []cty.Value{str(last)}
	for c := 'a'; c < 'l'; c++ {
		all = append(all, str("topic-"+string(c)))
	}
	return cty.ListVal(all)
}

func many(n int) (names []string) {
	for i := range n {
		names = append(names, at(hookKind, "ci", "acme/"+string(rune('a'+i)), "").String())
	}
	return names
}

// outcome is an apply of which one change failed and kept another from
// being begun.
var outcome = &reconcile.Outcome{
	Done:     plans["sample"].Changes[:1],
	Recorded: plans["values"].Changes[len(plans["values"].Changes)-1:],
	Failed: []reconcile.Failure{{Change: plan.Change{Addr: at(groupKind, "new", "", ""), Action: plan.Create, Kind: groupKind, Decl: declared(7)},
		Err: errors.New("POST groups: 400 path has already been taken")},
		{Change: plan.Change{Addr: at(groupKind, "hall", "", ""), Action: plan.Create, Kind: groupKind, Decl: declared(8)},
			Err: errors.New("done and recorded, but it is not as it should be"), Made: true}},
	Skipped: []reconcile.Failure{{Change: plan.Change{Addr: at(hookKind, "ci", "", ""), Action: plan.Create, Kind: hookKind, Decl: declared(9)},
		Err: errors.New("not begun, since group.new failed")}},
	Requests: 12, Seconds: 1.26,
}

// interrupted is an apply that ended long before it was done.
var interrupted = func() *reconcile.Outcome {
	o := &reconcile.Outcome{Interrupted: true, Requests: 1, Seconds: 125, Checks: estate().Checks}
	for i := range 2 * foldAt {
		c := plan.Change{Addr: at(hookKind, "ci", "acme/"+string(rune('a'+i)), ""), Action: plan.Create, Kind: hookKind, Decl: declared(9)}
		o.Skipped = append(o.Skipped, reconcile.Failure{Change: c, Err: errors.New("not begun, the run was interrupted")})
	}
	return o
}()
