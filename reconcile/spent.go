package reconcile

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// What the host shows once, in answer to a creation (an access token), is there
// in the apply that creates it and may feed other attributes. Later nobody can
// read it: what was made of it then is left as it is, and nothing new can be made
// of it.

// spend gives an object that is there the values that it has no more.
func spend(live schema.Object, s *schema.Sparse) {
	for _, a := range live.Unseen() {
		s.Set(a, cty.UnknownVal(a.Type).Mark(schema.Secret).Mark(schema.Spent))
	}
}

// spent blocks what takes a value that nobody can read any more, once nothing more
// is made anew: that would show it again.
func (r *Run) spent() (any bool) {
	for i := range r.made {
		if n := r.world.nodes[r.made[i].Addr]; n.wants(&r.made[i]) {
			any, r.world.news[n.want.Addr.Block] = true, true
		}
	}
	return any
}

// wants blocks a node that takes a value nobody can read any more: one that was
// not sent while it could be, or that has to be sent again.
func (n *node) wants(c *plan.Change) bool {
	for a, v := range n.want.Object.Value.All() {
		if !schema.IsSpent(v) || n.status == matched && c.Action != plan.Replace && n.sent(a) && !a.Triggers(plan.Names(c.Paths)) {
			continue
		}
		n.block(fmt.Sprintf("its %s is made of a value that the host shows only when it is made, and nobody can read any more; make what it comes from anew in the same apply (-replace), or state another value", n.want.Written(a.Name)))
		return true
	}
	return false
}

// sent tells whether the ledger knows that the attribute was applied.
func (n *node) sent(a *schema.Attr) bool {
	return n.entry != nil && n.entry.Owned[a.Name] != ""
}
