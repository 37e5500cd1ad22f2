package plan

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
)

// UnusedLift is a lift that lifts nothing: no object that it is for and that changes would trip the guard.
type UnusedLift struct {
	Code  string
	Block addr.Block // whose objects it is for
	At    hcl.Range  // where it stands
}

// UnusedLifts returns the lifts that lift nothing. It leaves out blocks of which
// nothing changes, for their lifts may be for what comes, and blocks of which
// something is blocked, for nobody knows what that would be.
func (p *Plan) UnusedLifts(f *Facts) []UnusedLift {
	bare := *p
	bare.Changes = slices.Clone(p.Changes)
	for i := range bare.Changes {
		c := &bare.Changes[i]
		c.Allow = nil
		if from, ok := c.Origin.(FromLedger); ok {
			from.Meant = false
			c.Origin = from
		}
	}
	bare.Guard(f)
	needed := map[string]bool{} // by code and address
	for _, g := range bare.Guards {
		for _, object := range g.Objects {
			needed[g.Code+" "+object] = true
		}
	}
	var out []UnusedLift
	used := map[UnusedLift]bool{}
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.AllowAt == nil || c.Action == NoOp ||
			slices.ContainsFunc(p.Blocked, func(b config.Blocked) bool { return b.Addr.Block == c.Addr.Block }) {
			continue
		}
		for _, code := range c.Allow {
			lift := UnusedLift{code, c.Addr.Block, *c.AllowAt}
			if _, seen := used[lift]; !seen {
				out = append(out, lift)
			}
			used[lift] = used[lift] || needed[code+" "+c.Addr.String()] || code == guard.Restore && c.Restore
		}
	}
	return slices.DeleteFunc(out, func(lift UnusedLift) bool { return used[lift] })
}
