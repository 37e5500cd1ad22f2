package reporttest

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// settingsKind is a kind with values that have values in them.
var settingsKind = &schema.Kind{Name: "integration", Collection: "projects/{project}/integrations",
	Match: schema.ByKey("slug"), Attrs: []schema.Attr{
		{Name: "project", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "project"}, ForceNew: true},
		{Name: "slug", Type: cty.String},
		{Name: "properties", Type: cty.DynamicPseudoType},
		{Name: "users", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "user"}},
	}}

func inModule(module string, a addr.Instance) addr.Instance {
	a.Module = module
	return a
}

// estate returns a realistic plan: modules, names in other scripts, nested
// settings.
func estate() *plan.Plan {
	members := schema.Collection{Path: "groups/9/members"}
	team := inModule("team", At(MemberKind, "all", "", ""))
	someone := func(name string, action plan.Action) plan.Change {
		a := team
		a.Elem = name
		return plan.Change{Addr: a, Action: action, Kind: MemberKind, Collection: members, Owner: "acme/平台"}
	}
	carol, dora, eve := someone("carol", plan.Update), someone("dora", plan.Create), someone("eve", plan.Delete)
	carol.Paths = []plan.PathChange{
		Path(MemberKind, "access_level", Num(30), Num(40), plan.ByConfig, ""),
		Path(MemberKind, "expires_at", Str("2027-01-01"), Str(""), plan.ByDrift, ""),
	}
	dora.After = object(MemberKind, "",
		attrs{"group": schema.RefVal(&schema.Ref{ID: "9"}), "user": schema.RefVal(&schema.Ref{Path: "dora"}),
			"access_level": Num(30), "expires_at": Str("2027-06-30")})
	for a, v := range dora.After.Value.All() {
		dora.Paths = append(dora.Paths, Path(MemberKind, a.Name, cty.NilVal, v, plan.ByConfig, ""))
	}
	eve.Cause, eve.Why = plan.ByDrift, "not in the configuration (exclusive)"
	eve.Before = object(MemberKind, "31",
		attrs{"group": schema.RefVal(&schema.Ref{ID: "9"}), "user": schema.RefVal(&schema.Ref{ID: "31", Path: "eve"}),
			"access_level": Num(50)})
	created := created(inModule("team", At(GroupKind, "docs", "手册", "")), object(GroupKind, "", attrs{
		"path": Str("手册"), "description": Str("平台手册 🎉"),
		"parent": schema.RefVal(&schema.Ref{Addr: "module.team.group.platform"}),
	}), "acme/平台/手册")
	return &plan.Plan{Applyable: true, Digest: "sum", Sizes: map[schema.Collection]int{members: 3},
		Stats: plan.Stats{Requests: 1204, Seconds: 12.34},
		Changes: []plan.Change{
			{Addr: inModule("team", At(GroupKind, "platform", "", "")), Action: plan.Update, Kind: GroupKind,
				Title: "acme/平台", Cause: plan.ByConfig, Decl: Declared(4),
				Paths: []plan.PathChange{
					Path(GroupKind, "description", Str(Handbook),
						Str(strings.NewReplacer("many", "few", "bob", "carol").Replace(Handbook)), plan.ByConfig, ""),
					Path(GroupKind, "visibility", Str("内部"), Str("private"), plan.ByDrift, ""),
				}},
			created,
			someone("alice", plan.NoOp), someone("bob", plan.NoOp), carol, dora, eve,
			{Addr: inModule("team", At(settingsKind, "chat", "acme/平台/api", "")), Action: plan.Update,
				Kind: settingsKind, Title: "acme/平台/api: chat", Cause: plan.ByConfig, Decl: Declared(30),
				Paths: []plan.PathChange{
					Path(settingsKind, "properties",
						Obj("channel", "#平台", "events", Obj("push", cty.True, "tag", cty.False), "limits",
							LongList("x"), "note", ""),
						Obj("channel", "#platform", "events", Obj("push", cty.True, "tag", cty.True), "limits",
							LongList("y"), "url", "https://chat.example.com"), plan.ByConfig, ""),
					Path(settingsKind, "users",
						cty.TupleVal([]cty.Value{schema.RefVal(&schema.Ref{ID: "4", Path: "alice"})}),
						cty.TupleVal([]cty.Value{schema.RefVal(&schema.Ref{ID: "4", Path: "alice"}),
							schema.RefVal(&schema.Ref{Addr: "module.team.user.new"}),
							schema.RefVal(&schema.Ref{ID: "7"})}), plan.ByConfig, ""),
				}},
			{Addr: inModule("team", At(settingsKind, "pager", "", "")), Action: plan.Update, Kind: settingsKind,
				Title: "acme/web: pager", Cause: plan.ByConfig,
				Paths: []plan.PathChange{Path(settingsKind, "properties", Obj("url", "https://a").Mark(schema.Secret),
					Obj("url", "https://b", "key", Token), plan.ByBoth, "")}},
		},
		Outputs: []config.Output{
			{Name: "projects", Value: Obj("acme/api", Obj("id", 4, "token", Token), "acme/web",
				Obj("id", cty.UnknownVal(cty.Number), "topics", LongList("x")))},
			{Name: "greeting", Value: Str("Hello\n  평화\n"), Doc: "What people read."},
			{Name: "chars", Value: cty.TupleVal([]cty.Value{cty.NullVal(cty.String), Str(""), cty.EmptyTupleVal, Num(3),
				cty.False, cty.UnknownVal(cty.String), Token})},
			{Name: "marked", Value: Token},
		},
		Checks: []config.Check{
			{Name: "check.owners", Verdict: config.CheckFailed,
				Text: "Every group should have two owners; acme/平台 has one.", DeclRange: *Declared(40)},
			{Name: "check.owners", Verdict: config.CheckPassed, DeclRange: *Declared(42)},
			{Name: "module.team.check.hooks", Verdict: config.CheckPassed, DeclRange: *Declared(44)},
			{Name: "module.team.check.names", Verdict: config.CheckErrored,
				Text: "the map has no element with the given key", DeclRange: *Declared(45)},
			{Name: "module.team.check.reach", Verdict: config.CheckUnknown, DeclRange: *Declared(50)},
			{Name: "module.team.check.reach", Verdict: config.CheckUnknown, DeclRange: *Declared(54)},
		},
		Notes: []string{"This plan is partial: it covers only module.team and its dependencies."},
	}
}

// Hostile returns a plan of objects whose names move the cursor of a terminal.
func Hostile() *plan.Plan {
	const s = "a\x1b[2J\u009b1m\u202eb\r"
	decl := Declared(2)
	decl.Filename = s + ".hcl"
	hook := object(HookKind, s, attrs{"url": Str(s)})
	return &plan.Plan{Changes: []plan.Change{
		{Addr: At(HookKind, "ci", s, ""), Action: plan.Update, Kind: HookKind, Title: s, Owner: s, Cause: plan.ByDrift,
			Why: s, Decl: decl, Before: hook,
			Paths: []plan.PathChange{Path(HookKind, "url", Str(s), Str("x\n"+s+"\ny"), plan.ByDrift, s),
				Path(HookKind, "branch_filter", Obj(s, s), Obj(s, "x", "b", s), plan.ByConfig, s)}},
		{Addr: At(MemberKind, "all", "", s), Action: plan.Delete, Kind: MemberKind, Title: s, Owner: s,
			Before: object(MemberKind, "1", attrs{"expires_at": Str(s)})},
		{Addr: At(HookKind, "adopted", "", ""), Action: plan.Adopt, Kind: HookKind, Owner: s, Before: hook},
		{Addr: At(HookKind, "moved", s, ""), From: At(HookKind, "old", s, ""), Action: plan.Move, Kind: HookKind},
		{Addr: At(HookKind, "gone", s, ""), Action: plan.Release, Kind: HookKind, Gone: true},
	},
		Blocked: []config.Blocked{{Addr: At(HookKind, "no", s, ""), Reason: s,
			Causes: []addr.Instance{At(GroupKind, "g", s, "")}, DeclRange: *decl}},
		Guards: []plan.Finding{{Code: "mass-delete", Text: s, Fix: s, Objects: []string{s}, Decl: decl}},
		Checks: []config.Check{{Name: s, Verdict: config.CheckFailed, Text: s, DeclRange: *decl},
			{Name: s + "2", Verdict: config.CheckUnknown, DeclRange: *decl}},
		Outputs: []config.Output{
			{Name: "o", Value: Obj(s, s, "long", LongList(s))}, {Name: "p", Value: Str("x\n" + s + "\n")},
		},
		Notes: []string{s},
	}
}

// Obj returns an object of names and values, each a string, an int or a cty.Value.
func Obj(fields ...any) cty.Value {
	m := map[string]cty.Value{}
	for i := 0; i < len(fields); i += 2 {
		switch v := fields[i+1].(type) {
		case string:
			m[fields[i].(string)] = Str(v)
		case int:
			m[fields[i].(string)] = Num(int64(v))
		case cty.Value:
			m[fields[i].(string)] = v
		}
	}
	return cty.ObjectVal(m)
}

// Handbook is a text of many lines.
const Handbook = "# Platform\n\nEverything about the platform and its many services, in one place for all of " +
	"us.\n\n## Owners\n\nalice\nbob\n"
