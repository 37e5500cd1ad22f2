package main

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// year is a plan of n changes in a tree of groups, of every sort that a year at work brings.
func year(n int) *plan.Plan {
	p := &plan.Plan{Applyable: true, Host: "https://git.example.com", Sizes: map[schema.Collection]int{}}
	for i := 0; len(p.Changes) < n; i++ {
		group := fmt.Sprintf("acme/department-%d/team-%d", i%7, i)
		project := group + "/service"
		p.Changes = append(p.Changes,
			plan.Change{Addr: at(groupKind, fmt.Sprintf("team_%d", i), "", ""), Action: plan.Update, Kind: groupKind, Title: group, Cause: plan.ByConfig, Decl: declared(i + 1), Paths: []plan.PathChange{
				path(groupKind, "description", str("Everything about the platform and its many services"), str("Everything about the platform and its few services"), plan.ByConfig, ""),
				path(groupKind, "visibility", str("internal"), str("private"), plan.ByDrift, ""),
			}},
			owned(project, created(at(hookKind, "ci", project, ""), object(hookKind, "", attrs{"url": str("https://ci.example.com/hooks/" + project), "push_events": cty.True, "token": token}), "https://ci.example.com/hooks/"+project)),
			plan.Change{Addr: at(hookKind, "chat", project, ""), Action: plan.Update, Kind: hookKind, Title: "https://chat.example.com", Owner: project, Cause: plan.ByBoth, Decl: declared(i + 2), Paths: []plan.PathChange{
				path(hookKind, "branch_filter", str("main\nrelease\n"), str("main\nrelease-*\n"), plan.ByBoth, ""),
			}},
		)
		members := schema.Collection{Path: "groups/" + group + "/members"}
		p.Sizes[members] = 12
		for j, name := range strings.Fields("alice bob carol") {
			c := plan.Change{Addr: at(memberKind, fmt.Sprintf("team_%d", i), "", name), Action: plan.Update, Kind: memberKind, Collection: members, Owner: group, Cause: plan.ByConfig,
				Paths: []plan.PathChange{path(memberKind, "access_level", num(30), num(40), plan.ByConfig, "")}}
			if i%20 == 0 && j == 2 {
				c = plan.Change{Addr: c.Addr, Action: plan.Delete, Kind: memberKind, Collection: members, Owner: group, Cause: plan.ByDrift,
					Why: "not in the configuration (exclusive)", Before: object(memberKind, "5", member(50))}
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
