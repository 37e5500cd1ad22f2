package reporttest

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// Year is a plan of n changes in a tree of groups, of every sort that a year at work brings.
func Year(n int) *plan.Plan {
	p := &plan.Plan{Applyable: true, Host: "https://git.example.com", Sizes: map[schema.Collection]int{}}
	for i := 0; len(p.Changes) < n; i++ {
		group := fmt.Sprintf("acme/department-%d/team-%d", i%7, i)
		project := group + "/service"
		p.Changes = append(p.Changes,
			plan.Change{Addr: At(GroupKind, fmt.Sprintf("team_%d", i), "", ""), Action: plan.Update, Kind: GroupKind,
				Title: group, Cause: plan.ByConfig, Decl: Declared(i + 1), Paths: []plan.PathChange{
					Path(GroupKind, "description", Str("Everything about the platform and its many services"),
						Str("Everything about the platform and its few services"), plan.ByConfig, ""),
					Path(GroupKind, "visibility", Str("internal"), Str("private"), plan.ByDrift, ""),
				}},
			owned(project, created(At(HookKind, "ci", project, ""),
				object(HookKind, "", attrs{"url": Str("https://ci.example.com/hooks/" + project),
					"push_events": cty.True, "token": Token}), "https://ci.example.com/hooks/"+project)),
			plan.Change{Addr: At(HookKind, "chat", project, ""), Action: plan.Update, Kind: HookKind,
				Title: "https://chat.example.com", Owner: project, Cause: plan.ByBoth, Decl: Declared(i + 2),
				Paths: []plan.PathChange{
					Path(HookKind, "branch_filter", Str("main\nrelease\n"), Str("main\nrelease-*\n"), plan.ByBoth, ""),
				}},
		)
		members := schema.Collection{Path: "groups/" + group + "/members"}
		p.Sizes[members] = 12
		for j, name := range strings.Fields("alice bob carol") {
			c := plan.Change{Addr: At(MemberKind, fmt.Sprintf("team_%d", i), "", name), Action: plan.Update,
				Kind: MemberKind, Collection: members, Owner: group, Cause: plan.ByConfig,
				Paths: []plan.PathChange{Path(MemberKind, "access_level", Num(30), Num(40), plan.ByConfig, "")}}
			if i%20 == 0 && j == 2 {
				c = plan.Change{Addr: c.Addr, Action: plan.Delete, Kind: MemberKind, Collection: members, Owner: group,
					Cause: plan.ByDrift,
					Why:   "not in the configuration (exclusive)", Before: object(MemberKind, "5", member(50))}
			}
			p.Changes = append(p.Changes, c)
		}
	}
	p.Changes = p.Changes[:n] // which may end within a set
	return p
}

func owned(by string, c plan.Change) plan.Change {
	c.Owner = by
	return c
}
