package reporttest

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// ruleKind can be loosened.
var ruleKind = &schema.Kind{
	Name: "project_approval_rule", Match: schema.ByKey("name"),
	Attrs: []schema.Attr{{Name: "name", Type: cty.String}, {Name: "approvals_required", Type: cty.Number}},
	Strict: &schema.Strictness{Looser: func(before, after schema.Object) []string {
		if name := "approvals_required"; after.Get(name).LessThan(before.Get(name)).True() {
			return []string{name}
		}
		return nil
	}},
}

// Opened is a plan that lets people do more than before in three ways, with what
// the guards themselves say of it.
func Opened() *plan.Plan {
	group, member := *WithOpens(GroupKind, "visibility", WiderVisibility), *MemberKind
	group.Visible = "visibility"
	member.Members = &schema.Membership{Who: "user", Level: "access_level", Owner: 50}
	rule := ruleKind
	owner := func(id, name string) schema.Object {
		return object(
			&member, id, attrs{"user": schema.RefVal(&schema.Ref{ID: id, Path: name}), "access_level": Num(50)},
		)
	}
	two, one := attrs{"name": Str("API"), "approvals_required": Num(2)},
		attrs{"name": Str("API"), "approvals_required": Num(1)}
	p := &plan.Plan{Changes: []plan.Change{
		created(At(&group, "open", "", ""), object(&group, "", attrs{"path": Str("open"), "visibility": Str("public")}),
			"open"),
		{Addr: At(MemberKind, "acme", "", "alice"), Action: plan.Delete, Kind: &member, Title: "alice", Owner: "acme",
			Collection: acmeMembers,
			Cause:      plan.ByConfig, Decl: Declared(7), Before: owner("5", "alice")},
		{Addr: At(rule, "api", "", ""), Action: plan.Update, Kind: rule, Title: "API", Owner: "acme/api",
			Cause: plan.ByConfig, Decl: Declared(9), Origin: plan.FromBlock{Desired: &config.Desired{}},
			Before: object(rule, "3", two), After: object(rule, "3", one),
			Paths: []plan.PathChange{Path(rule, "approvals_required", Num(2), Num(1), plan.ByConfig, "")}},
	}}
	p.Guard(&plan.Facts{
		Limits: config.Guards{RequiredOwners: []string{"alice"}},
		Live:   map[schema.Collection][]schema.Object{acmeMembers: {owner("5", "alice"), owner("6", "bob")}},
	})
	return p
}
