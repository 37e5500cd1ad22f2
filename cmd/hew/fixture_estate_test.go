package main

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// settingsKind is a kind with values that have values in them.
var settingsKind = &schema.Kind{Name: "integration", Collection: "projects/{project}/integrations", Match: schema.ByKey("slug"), Attrs: []schema.Attr{
	{Name: "project", Type: cty.DynamicPseudoType, Ref: "project", Fixed: true},
	{Name: "slug", Type: cty.String},
	{Name: "properties", Type: cty.DynamicPseudoType},
	{Name: "users", Type: cty.DynamicPseudoType, Ref: "user"},
}}

func inModule(module string, a addr.Instance) addr.Instance {
	a.Module = module
	return a
}

// estate is a plan as somebody might meet it at work: modules, people with
// names in other scripts, settings within settings.
func estate() *plan.Plan {
	members := schema.Collection{Path: "groups/9/members"}
	team := inModule("team", at(memberKind, "all", "", ""))
	someone := func(name string, action plan.Action) plan.Change {
		a := team
		a.Elem = name
		return plan.Change{Addr: a, Action: action, Kind: memberKind, Collection: members, Owner: "acme/平台"}
	}
	carol, dora, eve := someone("carol", plan.Update), someone("dora", plan.Create), someone("eve", plan.Delete)
	carol.Paths = []plan.PathChange{
		path(memberKind, "access_level", num(30), num(40), plan.ByConfig, ""),
		path(memberKind, "expires_at", str("2027-01-01"), str(""), plan.ByDrift, ""),
	}
	dora.After = object(memberKind, "", attrs{"group": schema.RefVal(&schema.Ref{ID: "9"}), "user": schema.RefVal(&schema.Ref{Path: "dora"}), "access_level": num(30), "expires_at": str("2027-06-30")})
	for a, v := range dora.After.Value.All() {
		dora.Paths = append(dora.Paths, path(memberKind, a.Name, cty.NilVal, v, plan.ByConfig, ""))
	}
	eve.Cause, eve.Why = plan.ByDrift, "not in the configuration (exclusive)"
	eve.Before = object(memberKind, "31", attrs{"group": schema.RefVal(&schema.Ref{ID: "9"}), "user": schema.RefVal(&schema.Ref{ID: "31", Path: "eve"}), "access_level": num(50)})
	created := created(inModule("team", at(groupKind, "docs", "手册", "")), object(groupKind, "", attrs{
		"path": str("手册"), "description": str("平台手册 🎉"), "parent": schema.RefVal(&schema.Ref{Addr: "module.team.group.platform"}),
	}), "acme/平台/手册")
	return &plan.Plan{Applyable: true, Digest: "sum", Sizes: map[schema.Collection]int{members: 3}, Stats: plan.Stats{Requests: 1204, Seconds: 12.34},
		Changes: []plan.Change{
			{Addr: inModule("team", at(groupKind, "platform", "", "")), Action: plan.Update, Kind: groupKind, Title: "acme/平台", Cause: plan.ByConfig, Decl: declared(4),
				Paths: []plan.PathChange{
					path(groupKind, "description", str(prose), str(strings.NewReplacer("many", "few", "bob", "carol").Replace(prose)), plan.ByConfig, ""),
					path(groupKind, "visibility", str("内部"), str("private"), plan.ByDrift, ""),
				}},
			created,
			someone("alice", plan.NoOp), someone("bob", plan.NoOp), carol, dora, eve,
			{Addr: inModule("team", at(settingsKind, "chat", "acme/平台/api", "")), Action: plan.Update, Kind: settingsKind, Title: "acme/平台/api: chat", Cause: plan.ByConfig, Decl: declared(30),
				Paths: []plan.PathChange{
					path(settingsKind, "properties", obj("channel", "#平台", "events", obj("push", cty.True, "tag", cty.False), "limits", list12("x"), "note", ""),
						obj("channel", "#platform", "events", obj("push", cty.True, "tag", cty.True), "limits", list12("y"), "url", "https://chat.example.com"), plan.ByConfig, ""),
					path(settingsKind, "users", cty.TupleVal([]cty.Value{schema.RefVal(&schema.Ref{ID: "4", Path: "alice"})}),
						cty.TupleVal([]cty.Value{schema.RefVal(&schema.Ref{ID: "4", Path: "alice"}), schema.RefVal(&schema.Ref{Addr: "module.team.user.new"}), schema.RefVal(&schema.Ref{ID: "7"})}), plan.ByConfig, ""),
				}},
			{Addr: inModule("team", at(settingsKind, "pager", "", "")), Action: plan.Update, Kind: settingsKind, Title: "acme/web: pager", Cause: plan.ByConfig,
				Paths: []plan.PathChange{path(settingsKind, "properties", obj("url", "https://a").Mark(schema.Secret), obj("url", "https://b", "key", token), plan.ByBoth, "")}},
		},
		Outputs: []config.Output{
			{Name: "projects", Value: obj("acme/api", obj("id", 4, "token", token), "acme/web", obj("id", cty.UnknownVal(cty.Number), "topics", list12("x")))},
			{Name: "greeting", Value: str("Hello\n  평화\n"), Doc: "What people read."},
			{Name: "chars", Value: cty.TupleVal([]cty.Value{cty.NullVal(cty.String), str(""), cty.EmptyTupleVal, num(3), cty.False, cty.UnknownVal(cty.String), token})},
			{Name: "marked", Value: token},
		},
		Checks: []config.Check{
			{Name: "check.owners", Verdict: config.Fails, Text: "Every group should have two owners; acme/平台 has one.", Decl: *declared(40)},
			{Name: "check.owners", Verdict: config.Holds, Decl: *declared(42)},
			{Name: "module.team.check.hooks", Verdict: config.Holds, Decl: *declared(44)},
			{Name: "module.team.check.names", Verdict: config.Errs, Text: "the map has no element with the given key", Decl: *declared(45)},
			{Name: "module.team.check.reach", Verdict: config.Pending, Decl: *declared(50)},
			{Name: "module.team.check.reach", Verdict: config.Pending, Decl: *declared(54)},
		},
		Notes: []string{"This plan is of module.team alone, and of what it depends on: 12 objects were not looked at. A plan of everything may show more."},
	}
}

// hostile is a plan of things that somebody named to move a terminal's cursor.
func hostile() *plan.Plan {
	const s = "a\x1b[2J\u009b1m\u202eb\r"
	decl := declared(2)
	decl.Filename = s + ".hcl"
	hook := object(hookKind, s, attrs{"url": str(s)})
	return &plan.Plan{Changes: []plan.Change{
		{Addr: at(hookKind, "ci", s, ""), Action: plan.Update, Kind: hookKind, Title: s, Owner: s, Cause: plan.ByDrift, Why: s, Decl: decl, Before: hook,
			Paths: []plan.PathChange{path(hookKind, "url", str(s), str("x\n"+s+"\ny"), plan.ByDrift, s), path(hookKind, "branch_filter", obj(s, s), obj(s, "x", "b", s), plan.ByConfig, s)}},
		{Addr: at(memberKind, "all", "", s), Action: plan.Delete, Kind: memberKind, Title: s, Owner: s, Before: object(memberKind, "1", attrs{"expires_at": str(s)})},
		{Addr: at(hookKind, "adopted", "", ""), Action: plan.Adopt, Kind: hookKind, Owner: s, Before: hook},
		{Addr: at(hookKind, "moved", s, ""), From: at(hookKind, "old", s, ""), Action: plan.Move, Kind: hookKind},
		{Addr: at(hookKind, "gone", s, ""), Action: plan.Release, Kind: hookKind, Gone: true},
	},
		Blocked: []config.Blocked{{Addr: at(hookKind, "no", s, ""), Why: s, By: []addr.Instance{at(groupKind, "g", s, "")}, Decl: *decl}},
		Guards:  []plan.Finding{{Code: "mass-delete", Text: s, Fix: s, Objects: []string{s}, Decl: decl}},
		Checks:  []config.Check{{Name: s, Verdict: config.Fails, Text: s, Decl: *decl}, {Name: s + "2", Verdict: config.Pending, Decl: *decl}},
		Outputs: []config.Output{{Name: "o", Value: obj(s, s, "long", list12(s))}, {Name: "p", Value: str("x\n" + s + "\n")}},
		Notes:   []string{s},
	}
}
