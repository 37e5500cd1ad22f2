// Package reporttest has plans and outcomes for tests of what shows them, and checks that hold for
// all of these.
package reporttest

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// Kinds as the provider has them, cut down to what a view can meet: a key, an
// owner, a shown form, a secret, a default, a fixed attribute, collections.
var (
	levels = map[string]string{"30": "developer", "40": "maintainer", "50": "owner"}

	GroupKind = &schema.Kind{Name: "group", Match: schema.ByKey("full_path"), Tree: &schema.Tree{Full: "full_path"},
		Attrs: []schema.Attr{
			{Name: "path", Type: cty.String, Mode: schema.Required},
			{Name: "visibility", Type: cty.String, Default: schema.Value(cty.StringVal("private"))},
			{Name: "description", Type: cty.String, Default: schema.Value(cty.StringVal(""))},
			{Name: "topics", Type: cty.List(cty.String)},
			{Name: "parent", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "group"}, ForceNew: true},
			{Name: "full_path", Type: cty.String, Mode: schema.Computed},
		}}
	MemberKind = &schema.Kind{Name: "group_member", Collection: "groups/{group}/members", Match: schema.ByKey("user"),
		Attrs: []schema.Attr{
			{Name: "group", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "group"}},
			{Name: "user", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "user"}},
			{Name: "access_level", Type: cty.DynamicPseudoType, Show: func(v cty.Value) string {
				return levels[v.AsBigFloat().Text('f', -1)]
			}},
			{Name: "expires_at", Type: cty.String},
		}}
	HookKind = &schema.Kind{Name: "project_hook", Collection: "projects/{project}/hooks", Match: schema.ByKey("url"),
		Attrs: []schema.Attr{
			{Name: "project", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "project"}, ForceNew: true},
			{Name: "url", Type: cty.String},
			{Name: "token", Type: cty.String, Mask: schema.SecretValue{}},
			{Name: "branch_filter", Type: cty.String},
			{Name: "push_events", Type: cty.Bool, Default: schema.Value(cty.True)},
			{Name: "note_events", Type: cty.Bool, Default: schema.Value(cty.False)},
		}}
)

// Leak is the secret that no view may print.
const Leak = "hunter2-hunter2"

var (
	Str   = cty.StringVal
	Num   = cty.NumberIntVal
	Token = Str(Leak).Mark(schema.Secret)
)

// Plans are what the views are tried on, by name.
var Plans = map[string]*plan.Plan{
	"equal":   equal(),
	"estate":  estate(),
	"hostile": Hostile(),
	"opened":  Opened(),
	"nothing": {Applyable: true, Stats: plan.Stats{Requests: 38, Seconds: 0.41, Objects: 1}, Changes: []plan.Change{
		{Addr: At(GroupKind, "acme", "", ""), Action: plan.NoOp, Kind: GroupKind, Title: "acme"},
	}},
	// Blocks in Terraform's names: people read these, programs the kind's own.
	"terraform": {Applyable: true, Digest: "d1", Stats: plan.Stats{Requests: 3, Seconds: 0.1, Objects: 2},
		Changes: []plan.Change{
			created(foreign("new"), object(GroupKind, "", attrs{"path": Str("new"), "parent": Num(7)}), "acme/new"),
			{Addr: foreign("old"), Action: plan.Adopt, Kind: GroupKind, Title: "acme/old",
				Before: object(GroupKind, "8", nil), Paths: []plan.PathChange{
					Path(GroupKind, "visibility", Str("public"), Str("private"), plan.Unknown, ""),
					Path(GroupKind, "topics", cty.ListValEmpty(cty.String), cty.TupleVal([]cty.Value{Str("a")}),
						plan.Unknown, ""),
				}},
		}},
	// The sample of the handbook: drift, a set by its elements, an adoption.
	"sample": {Applyable: true, Digest: "d1", Stats: plan.Stats{Requests: 38, Seconds: 0.41, Objects: 6},
		Sizes: map[schema.Collection]int{acmeMembers: 42},
		Changes: []plan.Change{
			{Addr: At(GroupKind, "platform", "", ""), Action: plan.Update, Kind: GroupKind, Title: "acme/platform",
				Cause: plan.ByDrift, Decl: Declared(1),
				Before: object(GroupKind, "9", attrs{"full_path": Str("acme/platform")}),
				Paths: []plan.PathChange{
					Path(GroupKind, "visibility", Str("internal"), Str("private"), plan.ByDrift, ""),
				}},
			{Addr: At(MemberKind, "platform", "", "alice"), Action: plan.NoOp, Kind: MemberKind,
				Collection: acmeMembers},
			{Addr: At(MemberKind, "platform", "", "bob"), Action: plan.Update, Kind: MemberKind,
				Collection: acmeMembers, Cause: plan.ByConfig,
				Paths: []plan.PathChange{Path(MemberKind, "access_level", Num(30), Num(40), plan.ByConfig, "")}},
			func() plan.Change {
				c := created(At(MemberKind, "platform", "", "dora"), object(MemberKind, "", member(30)), "")
				c.Collection = acmeMembers
				return c
			}(),
			{Addr: At(MemberKind, "platform", "", "eve"), Action: plan.Delete, Kind: MemberKind,
				Collection: acmeMembers, Cause: plan.ByDrift,
				Why: "not in the configuration (exclusive)", Before: object(MemberKind, "5", member(50))},
			{Addr: At(HookKind, "ci", "acme/platform/api", ""), Action: plan.Adopt, Kind: HookKind,
				Owner: "acme/platform/api", Cause: plan.Unknown,
				Before: object(HookKind, "71", attrs{"url": Str("https://ci.example.com/hook")}),
				Paths:  []plan.PathChange{Path(HookKind, "token", cty.NilVal, Token, plan.Unknown, "not readable")}},
		}},
	// Every way of writing a value.
	"values": {Applyable: true, Changes: []plan.Change{
		created(At(GroupKind, "new", "", ""), object(GroupKind, "", attrs{
			"path": Str("new"), "parent": schema.RefVal(&schema.Ref{Addr: "group.acme"}),
			"topics":      cty.ListVal([]cty.Value{Str("a"), Str(`\d ${x}`)}),
			"description": Str("one\ntwo ${three}\n"),
		}), "acme/new"),
		created(At(GroupKind, "many", "", ""),
			object(GroupKind, "", attrs{"path": Str("many"), "topics": LongList("x")}), "acme/many"),
		created(At(HookKind, "ci", "", ""), object(HookKind, "", attrs{
			"project": cty.DynamicVal, "url": cty.UnknownVal(cty.String), "token": Token,
		}), "https://ci.example.com/hook"),
		{Addr: At(GroupKind, "long", "", ""), Action: plan.Update, Kind: GroupKind, Title: "acme/long \x1b[2J",
			Cause: plan.ByConfig, Paths: []plan.PathChange{
				Path(GroupKind, "description", Str("a\nb\nc\nd\ne\nf\ng\nh\n"), Str("a\nb\nc\nd\nE\nf\ng\nh\n"),
					plan.ByBoth, ""),
				Path(GroupKind, "topics", LongList("x"), LongList("y"), plan.ByConfig, ""),
				Path(GroupKind, "path", Str("Everything about the platform and its many services"),
					Str("Everything about the Platform and all its many services"), plan.ByConfig, ""),
				Path(GroupKind, "visibility", Str("public"), cty.NullVal(cty.String), plan.ByConfig,
					"back to its default"),
				Path(GroupKind, "description", Str("with "+Leak), Token, plan.ByConfig, ""),
				Path(GroupKind, "description", Token, Str("without"), plan.ByConfig, ""),
			}},
		{Addr: At(GroupKind, "moved", "", ""), From: At(GroupKind, "old", "", ""), Action: plan.Move, Kind: GroupKind,
			Title: "acme/moved"},
		{Addr: At(GroupKind, "gone", "", ""), Action: plan.Release, Kind: GroupKind, Title: "acme/gone"},
		{Addr: At(HookKind, "other", "", ""), Action: plan.Replace, Kind: HookKind, Title: "acme/api: https://x",
			Cause: plan.ByConfig, Paths: []plan.PathChange{
				Path(HookKind, "project", schema.RefVal(&schema.Ref{ID: "4", Path: "acme/api"}),
					schema.RefVal(&schema.Ref{ID: "5", Path: "acme/web"}), plan.ByConfig, "needs a new object"),
				Path(HookKind, "token", cty.NilVal, Token, plan.ByConfig, ""),
			}},
		{Addr: addr.Instance{Block: addr.Block{Mode: addr.Exclusive, Kind: "project_hook", Name: "all"},
			Key: addr.StringKey("acme/api"), Elem: "71"}, Action: plan.Delete,
			Kind: HookKind, Title: "acme/api: https://old.example.com", Cause: plan.ByDrift,
			Why: "no resource declares it"},
		{Addr: At(HookKind, "other", "", "").Depose("7"), Action: plan.Delete, Kind: HookKind, Title: "https://x",
			Owner: "acme/api", Cause: plan.ByConfig, Before: object(HookKind, "7", nil)},
		{Addr: At(MemberKind, "team", "", "bob").Depose("9"), Action: plan.Delete, Kind: MemberKind, Title: "bob",
			Owner: "acme", Cause: plan.ByConfig, Before: object(MemberKind, "9", nil)},
		{Addr: At(HookKind, "found", "", ""), Action: plan.Adopt, Kind: HookKind, Owner: "acme/api",
			Before: object(HookKind, "72", nil)},
	}, Outputs: []config.Output{
		{Name: "url", Value: Str("https://host/acme"), Doc: "Where it is."},
		{Name: "id", Value: cty.UnknownVal(cty.Number)},
		{Name: "secret", Value: Str(Leak), Sensitive: true},
		{Name: "long", Value: LongList("x")},
		{Name: "map", Value: cty.ObjectVal(map[string]cty.Value{"a b": Num(1), "c": cty.True, "s": Token})},
	}},
	// Everything that stops a plan.
	"trouble": {Changes: []plan.Change{
		{Addr: At(GroupKind, "acme", "", ""), Action: plan.Delete, Kind: GroupKind, Title: "acme", Decl: Declared(3),
			Cause: plan.ByConfig},
	}, Guards: []plan.Finding{{Code: "mass-delete",
		Text: "12 of 40 hooks of acme/api would be deleted; the limit is 10 (25 %).",
		Fix:  "If this is intended, raise max_deletes in hew { guards { … } }.", Objects: many(12), Decl: Declared(3)}},
		Blocked: []config.Blocked{{Addr: At(HookKind, "ci", "acme/api", ""),
			Reason: "403 Forbidden: this requires the Maintainer role in the project.", DeclRange: *Declared(12)},
			{Addr: At(HookKind, "ci", "acme/web", ""), Reason: "Its project is not planned.",
				Causes: []addr.Instance{At(GroupKind, "web", "", "")}, DeclRange: *Declared(12)},
			{Addr: At(GroupKind, "waits", "", ""), Reason: "Depends on project_hook.ci, which is blocked.",
				Causes: []addr.Instance{At(HookKind, "ci", "acme/api", "")}, DeclRange: *Declared(20)},
			{Addr: At(GroupKind, "too", "", ""), Reason: "Depends on group.waits, which is blocked.",
				Causes: []addr.Instance{At(GroupKind, "waits", "", "")}, DeclRange: *Declared(21)}},
		Notes: []string{"terraform {} blocks are ignored."}},
	// Findings of a nightly run, with author and time.
	"night": {Host: "https://git.example.com", User: "alice", Changes: []plan.Change{
		{Addr: At(HookKind, "ci", "", ""), Action: plan.Update, Kind: HookKind, Title: "https://ci.example.com/hook",
			Owner: "acme/api", Cause: plan.ByDrift,
			Before: schema.Object{Kind: HookKind, ID: "7",
				Trace: &schema.Trace{Made: "2025-01-01T00:00:00Z", By: "root", Changed: "2026-11-27T22:03:04.567Z"}},
			Paths: []plan.PathChange{Path(HookKind, "push_events", cty.False, cty.True, plan.ByDrift, "")}},
		{Addr: addr.Instance{Block: addr.Block{Mode: addr.Exclusive, Kind: "project_hook", Name: "all"},
			Key: addr.StringKey("acme/api"), Elem: "71"}, Action: plan.Delete,
			Kind: HookKind, Title: "https://old.example.com", Owner: "acme/api", Cause: plan.ByDrift,
			Why:    "not in the configuration (exclusive)",
			Before: schema.Object{Kind: HookKind, ID: "71", Trace: &schema.Trace{Made: "2026-11-27T23:59:59+02:00"}}},
	}, Undeclared: []plan.Undeclared{
		{Object: schema.Object{Kind: GroupKind, ID: "12"}, Title: "acme/tmp"},
		{Object: schema.Object{Kind: MemberKind, ID: "5", Trace: &schema.Trace{Made: "a while ago", By: "root"}},
			Title: "eve", Owner: "acme"},
	}},
	"ledgerless": {Applyable: true, Ledgerless: true, Changes: []plan.Change{
		{Addr: At(GroupKind, "acme", "", ""), Action: plan.Adopt, Kind: GroupKind, Title: "acme", Cause: plan.Unknown,
			Before: object(GroupKind, "7", nil),
			Paths:  []plan.PathChange{Path(GroupKind, "visibility", Str("public"), Str("private"), plan.Unknown, "")}},
	}},
}

// LongList returns a list of twelve texts, of which the first is given.
func LongList(last string) cty.Value {
	all := []cty.Value{Str(last)}
	for c := 'a'; c < 'l'; c++ {
		all = append(all, Str("topic-"+string(c)))
	}
	return cty.ListVal(all)
}

func many(n int) (names []string) {
	for i := range n {
		names = append(names, At(HookKind, "ci", "acme/"+string(rune('a'+i)), "").String())
	}
	return names
}
