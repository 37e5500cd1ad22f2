package plan

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
)

// Idle is a lift that lifts nothing: no object that it is for and that changes would trip the guard.
type Idle struct {
	Code  string
	Block addr.Block // whose objects it is for
	At    hcl.Range  // where it stands
}

// Idle finds lifts that lift nothing. Of blocks of which nothing changes nothing is said, for their lifts may be for what
// comes, and of blocks of which something is blocked, for nobody knows what that would be.
func (p *Plan) Idle(f *Facts) []Idle {
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
	var out []Idle
	used := map[Idle]bool{}
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.AllowAt == nil || c.Action == NoOp ||
			slices.ContainsFunc(p.Blocked, func(b config.Blocked) bool { return b.Addr.Block == c.Addr.Block }) {
			continue
		}
		for _, code := range c.Allow {
			lift := Idle{code, c.Addr.Block, *c.AllowAt}
			if _, seen := used[lift]; !seen {
				out = append(out, lift)
			}
			used[lift] = used[lift] || needed[code+" "+c.Addr.String()] || code == guard.Restore && c.Restore
		}
	}
	return slices.DeleteFunc(out, func(lift Idle) bool { return used[lift] })
}
