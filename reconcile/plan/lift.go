package plan

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
)

// UnusedLift is an override of a guard that no change needs.
type UnusedLift struct {
	Code  string
	Block addr.Block // whose objects it applies to
	At    hcl.Range  // its position
}

// UnusedLifts returns the unused overrides. It omits blocks without changes, because their
// overrides may be for a later plan, and blocks with blocked instances, because their changes are
// unknown.
func (p *Plan) UnusedLifts(f *Facts) []UnusedLift {
	bare := *p
	bare.Changes = slices.Clone(p.Changes)
	for i := range bare.Changes {
		c := &bare.Changes[i]
		c.Allow = nil
		if from, ok := c.Origin.(FromLedger); ok {
			from.RemovedBlock = false
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
