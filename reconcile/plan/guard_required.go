package plan

import (
	"fmt"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/schema"
)

// requiredOwners finds top-level groups that one of the required owners would not own. It checks
// groups whose members change, and groups that are created at or moved to the top level.
func requiredOwners(_ []*Change, p *Plan, f *Facts) []Finding {
	var out []Finding
	for _, g := range topLevelGroups(p.guarded(guard.Rule{}), f) {
		var missing []string
		for _, name := range f.Limits.RequiredOwners {
			if !g.owners[strings.ToLower(name)] {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 || len(g.fault) == 0 {
			continue
		}
		out = append(out, finding(fmt.Sprintf("%s would not be owned by %s, but required_owners applies to every "+
			"top-level group.", g.path, strings.Join(missing, ", ")),
			`Declare the membership with access_level = "owner", or change required_owners in hew { guards { … } }. `+
				g.fault[0].liftAdvice(guard.RequiredOwners), g.fault...))
	}
	return out
}

// topLevelGroup is a top-level group that is new there or whose members change, with its planned
// owners in lower case and the changes that can cause a finding.
type topLevelGroup struct {
	path   string
	owners map[string]bool
	fault  []*Change
}

func topLevelGroups(changes []*Change, f *Facts) []*topLevelGroup {
	var out []*topLevelGroup
	at := map[string]*topLevelGroup{}
	of := func(path string) *topLevelGroup {
		if at[path] == nil {
			at[path] = &topLevelGroup{path: path, owners: map[string]bool{}}
			out = append(out, at[path])
		}
		return at[path]
	}
	for _, c := range changes {
		switch {
		case c.Kind.Root != "" && c.Kind.Tree != nil && c.Kind.Tree.Owner != "" && c.Action == Create &&
			!strings.Contains(c.Title, "/"):
			g := of(c.Title)
			g.owners[strings.ToLower(f.Self.Username)] = true // the creator of a group owns it
			if !c.lifts(guard.RequiredOwners) {
				g.fault = append(g.fault, c)
			}
		case c.movesToTop():
			g := of(c.Path(c.After))
			if g.addOwners(f.members(c.Before.ID)); len(g.owners) == 0 {
				g.owners[strings.ToLower(f.Self.Username)] = true
			}
			if !c.lifts(guard.RequiredOwners) {
				g.fault = append(g.fault, c)
			}
		case c.Kind.OwnerLevel() > 0 && c.Within() == (addr.Instance{}) && c.Changes() &&
			!strings.Contains(c.Owner, "/"):
			of(c.Owner).addOwners(f.Live[c.Collection])
		}
	}
	for _, c := range changes {
		g := at[c.Owner]
		if g == nil || c.Kind.OwnerLevel() == 0 || !c.Changes() {
			continue
		}
		if c.endsOwnership() {
			delete(g.owners, memberName(c.beforeOrAfter()))
		}
		if c.After.Kind != nil && c.Action != Delete && c.Kind.Weight(c.After) >= c.Kind.OwnerLevel() {
			g.owners[memberName(c.After)] = true
		} else if !c.lifts(guard.RequiredOwners) && c.endsOwnership() {
			g.fault = append(g.fault, c)
		}
	}
	return out
}

// addOwners adds the owners among the members.
func (g *topLevelGroup) addOwners(members []schema.Object) {
	for _, o := range members {
		if o.State.LetsIn() && o.Kind.Weight(o) >= o.Kind.OwnerLevel() {
			g.owners[memberName(o)] = true
		}
	}
}

// memberName returns the user's name in lower case.
func memberName(o schema.Object) string {
	for _, key := range o.Kind.Match.Keys {
		if r := schema.AsRef(o.Get(key)); r != nil {
			return strings.ToLower(r.Path)
		}
	}
	return ""
}
