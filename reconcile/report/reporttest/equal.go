package reporttest

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/schema"
)

// equal is a plan of which most changes are equal to others: updates of groups, one of which a
// guard names; hooks that differ in whose they are; more deletions than are listed; one change in
// many sets, and many in one, which removes nothing.
func equal() *plan.Plan {
	p := &plan.Plan{
		Host: "https://git.example.com", User: "alice", Stats: plan.Stats{Requests: 12, Seconds: 0.2},
		Sizes: map[schema.Collection]int{},
		Guards: []plan.Finding{{Code: guard.UnmarkedRename, Text: "group.team_2 looks like a rename.",
			Fix: "Add a moved block.", Objects: []string{"group.team_2"}}},
	}
	for i := range 6 {
		team := fmt.Sprintf("acme/team-%d", i)
		p.Changes = append(p.Changes,
			plan.Change{Addr: At(GroupKind, fmt.Sprintf("team_%d", i), "", ""), Action: plan.Update, Kind: GroupKind,
				Title: team,
				Cause: plan.ByConfig, Decl: Declared(i + 1),
				Paths: []plan.PathChange{
					Path(GroupKind, "visibility", Str("internal"), Str("private"), plan.ByConfig, ""),
				}})
	}
	for i := range 4 {
		project := fmt.Sprintf("acme/team-%d/api", i)
		at := schema.RefVal(&schema.Ref{ID: fmt.Sprint(i), Path: project})
		p.Changes = append(p.Changes, owned(project, created(At(HookKind, "ci", project, ""),
			object(HookKind, "", attrs{"project": at, "url": Str("https://ci.example.com"), "push_events": cty.True,
				"token": Token}), "https://ci.example.com")))
	}
	for i := range 13 {
		p.Changes = append(p.Changes,
			plan.Change{Addr: At(HookKind, "old", fmt.Sprintf("acme/team-%d/web", i), ""), Action: plan.Delete,
				Kind:  HookKind,
				Title: fmt.Sprintf("https://old.example.com/%d", i), Owner: fmt.Sprintf("acme/team-%d/web", i),
				Cause: plan.ByConfig})
	}
	raise := func(set string, in schema.Collection, user string) {
		p.Sizes[in] += 2
		p.Changes = append(p.Changes,
			plan.Change{Addr: At(MemberKind, set, "", user), Action: plan.Update, Kind: MemberKind, Collection: in,
				Owner: "acme/" + set, Cause: plan.ByConfig,
				Paths: []plan.PathChange{Path(MemberKind, "access_level", Num(30), Num(40), plan.ByConfig, "")}})
	}
	for i, user := range []string{"alice", "alice", "alice", "eve"} {
		raise(fmt.Sprintf("team_%d", i), schema.Collection{Path: fmt.Sprintf("groups/%d/members", i)}, user)
	}
	for i := range 14 {
		raise("all", schema.Collection{Path: "groups/acme/members"}, fmt.Sprintf("user-%02d", i))
	}
	note := "group_members.all deletes nothing in acme/all in this run: module.squad is blocked, so hew could " +
		"mistake its " +
		"objects for undeclared ones."
	p.Notes = []string{note, "Another note."}
	p.Suspended = []plan.Suspended{
		{Addr: At(MemberKind, "all", "", ""), Kind: MemberKind, Owner: "acme/all", Note: note},
	}
	slices.SortStableFunc(p.Changes, func(x, y plan.Change) int { return x.Addr.Compare(y.Addr) })
	return p
}

// Equal is a plan of n changes of visibility that are all equal, in a tree of groups.
func Equal(n int) *plan.Plan {
	p := &plan.Plan{Applyable: true}
	for i := range n {
		p.Changes = append(p.Changes,
			plan.Change{Addr: addr.Instance{
				Block: addr.Block{Kind: "group", Name: "all"}, Key: addr.StringKey(fmt.Sprintf("acme/team-%04d", i)),
			},
				Action: plan.Update, Kind: GroupKind, Title: fmt.Sprintf("acme/team-%04d", i), Cause: plan.ByConfig,
				Paths: []plan.PathChange{
					Path(GroupKind, "visibility", Str("internal"), Str("private"), plan.ByConfig, ""),
				}})
	}
	return p
}
