package reconcile

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// creator tells whether an object is the membership of the token's own user in
// what this run makes: the host may make that along with it.
func (w *world) creator(n *node) bool {
	if n.kind().OwnerLevel() == 0 || n.coll != (schema.Collection{}) || n.kind().Owner() == nil {
		return false
	}
	_, v, ok := key(n.want.Object)
	r := schema.AsRef(v)
	return ok && r != nil && r.ID != "" && r.ID == w.self.ID
}

// founder is the membership that the host gives to the token's own user in what
// this run makes, where an exclusive set of members has no such user: it goes
// again at the end of the same run.
func (w *world) founder(x *config.Exclusive) (schema.Object, bool) {
	s := w.claimants[x.Addr]
	if x.Kind.OwnerLevel() == 0 || w.self.ID == "" || !w.narrowing.has(x.Addr) || s.status != pending || s.owner == nil || s.owner.ID != "" {
		return schema.Object{}, false
	}
	group := w.node(x.Kind.Owner().RefKind(), s.owner)
	if group == nil || group.status != missing {
		return schema.Object{}, false
	}
	for _, n := range w.order {
		if n.kind() == x.Kind && n.owner == s.owner && (w.creator(n) || n.status == blocked) {
			return schema.Object{}, false
		}
	}
	o := schema.Object{Kind: x.Kind, ID: w.self.ID}
	o.Value.Set(x.Kind.Owner(), schema.RefVal(s.owner))
	o.Value.Set(x.Kind.Attr(x.Kind.Admits()), schema.RefVal(&schema.Ref{ID: w.self.ID, Path: w.self.Username}))
	o.Value.Set(x.Kind.Attr(x.Kind.LevelAttr()), cty.NumberIntVal(int64(x.Kind.OwnerLevel())))
	return o, true
}

// founders adds what becomes of such members.
func (r *Run) founders(p *plan.Plan) {
	w := r.world
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		o, ok := w.founder(x)
		if !ok || !w.narrowing.finds(strayAddr(x, o)) || w.spared(x.Kind, o) != "" {
			continue
		}
		s := w.claimants[x.Addr]
		c := about(strayAddr(x, o), x.Kind, schema.Collection{}, x.Block)
		c.Action, c.Cause, c.Stray, c.Founder, c.Before = plan.Delete, plan.ByConfig, true, true, o
		c.Title, c.Owner, c.Needs = keyTitle(o), s.ownerTitle(), needing(nil, w.node(x.Kind.Owner().RefKind(), s.owner).want.Addr)
		c.Why = "the host makes whoever creates the " + x.Kind.Owner().Name + " a member of it, and it is not in the configuration (exclusive)"
		p.Changes = append(p.Changes, c)
	}
}
