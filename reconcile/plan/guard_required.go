package plan

import (
	"fmt"
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// required finds top-level groups that one of those who have to own them would not own. Each is looked at when its members
// change, or when it is made or becomes one.
func required(_ []*Change, p *Plan, f *Facts) []Finding {
	var out []Finding
	for _, g := range tops(p.under(guard{}), f) {
		var missing []string
		for _, name := range f.Limits.RequiredOwners {
			if !g.owners[strings.ToLower(name)] {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 || len(g.fault) == 0 {
			continue
		}
		out = append(out, finding(fmt.Sprintf("%s would not be owned by %s, as required_owners demands of every top-level group.", g.path, strings.Join(missing, ", ")),
			`Declare the membership with access_level = "owner", or change required_owners in hew { guards { … } }. `+g.fault[0].lift(RequiredOwners), g.fault...))
	}
	return out
}

// top is a top-level group that is new there, or whose members change: who owns it then, in lower case, and the changes that can be at fault.
type top struct {
	path   string
	owners map[string]bool
	fault  []*Change
}

func tops(changes []*Change, f *Facts) []*top {
	var out []*top
	at := map[string]*top{}
	of := func(path string) *top {
		if at[path] == nil {
			at[path] = &top{path: path, owners: map[string]bool{}}
			out = append(out, at[path])
		}
		return at[path]
	}
	for _, c := range changes {
		switch {
		case c.Kind.Root != "" && c.Kind.Tree != nil && c.Kind.Tree.Owner != "" && c.Action == Create && !strings.Contains(c.Title, "/"):
			g := of(c.Title)
			g.owners[strings.ToLower(f.Self.Username)] = true // who makes a group owns it
			if !c.lifts(RequiredOwners) {
				g.fault = append(g.fault, c)
			}
		case c.rises():
			g := of(c.Path(c.After))
			if g.own(f.members(c.Before.ID)); len(g.owners) == 0 {
				g.owners[strings.ToLower(f.Self.Username)] = true
			}
			if !c.lifts(RequiredOwners) {
				g.fault = append(g.fault, c)
			}
		case c.Kind.OwnerLevel() > 0 && c.Within == (addr.Instance{}) && c.Changes() && !strings.Contains(c.Owner, "/"):
			of(c.Owner).own(f.Live[c.Collection])
		}
	}
	for _, c := range changes {
		g := at[c.Owner]
		if g == nil || c.Kind.OwnerLevel() == 0 || !c.Changes() {
			continue
		}
		if c.disowns() {
			delete(g.owners, memberName(c.subject()))
		}
		if c.After.Kind != nil && c.Action != Delete && c.Kind.Weight(c.After) >= c.Kind.OwnerLevel() {
			g.owners[memberName(c.After)] = true
		} else if !c.lifts(RequiredOwners) && c.disowns() {
			g.fault = append(g.fault, c)
		}
	}
	return out
}

// own takes in the owners among the members.
func (g *top) own(members []schema.Object) {
	for _, o := range members {
		if o.State != schema.Invited && o.Kind.Weight(o) >= o.Kind.OwnerLevel() {
			g.owners[memberName(o)] = true
		}
	}
}

// memberName is the user's name in lower case.
func memberName(o schema.Object) string {
	for _, key := range o.Kind.Match.Keys {
		if r := schema.AsRef(o.Get(key)); r != nil {
			return strings.ToLower(r.Path)
		}
	}
	return ""
}
