package match

import (
	"fmt"

	"hew/schema"
)

// checkInheritedWeight reports whether n can have the level that it declares. now is the level on
// the host, 0 for none. The host refuses a member with a lower level than it inherits, so such a
// node is blocked. Only new and lowered levels are checked; a plan without them reads nothing here.
// It also returns false while the inherited level has to be read.
func (w *World) checkInheritedWeight(n *Node, now int) bool {
	k := n.Kind()
	if k.InheritedPath() == "" || n.owner == nil || now > 0 && now <= k.Weight(n.want.Object) {
		return true // the host has already accepted it
	}
	if g, in := w.declaredAbove(n); g != nil {
		n.Block(fmt.Sprintf("%s inherits %s %s, which %s declares in %s; declare at least that, or remove the "+
			"declaration",
			KeyTitle(n.want.Object), k.LevelAttr(), showAttr(g.want.Object, k.LevelAttr()), g.want.Addr, in),
			g.want.Addr)
		return false
	}
	if n.owner.ID == "" {
		return true // it inherits nothing that is on the host
	}
	parent, ok := w.parent(n)
	if !ok {
		return false
	}
	if parent == nil || parent.ID == "" {
		return true
	}
	c := w.List(k, k.Above(parent.ID))
	if c == nil {
		return false
	}
	a, v, ok := Key(n.want.Object)
	if !ok || !c.Present() {
		return true // the host decides at apply
	}
	for _, i := range c.Match(a, a.KeyTexts(v)) {
		if k.Weight(c.objs[i]) > k.Weight(n.want.Object) {
			n.Block(fmt.Sprintf("%s inherits %s %s from a parent group; declare at least that, or remove the "+
				"declaration", KeyTitle(n.want.Object), k.LevelAttr(), showAttr(c.objs[i], k.LevelAttr())))
			return false
		}
	}
	return true
}

// declaredAbove returns a node that declares a higher level for the same user in a group above n's
// owner, and that group, or nil.
func (w *World) declaredAbove(n *Node) (g *Node, in *schema.Ref) {
	k := n.Kind()
	user := schema.AsRef(n.want.Object.Get(k.Admits()))
	if user == nil {
		return nil, nil
	}
	for _, g := range w.grantsTo(k.Attr(k.Admits()).RefKind(), user) {
		to := schema.AsRef(g.want.Object.Get(g.Kind().Owner().Name))
		if to != nil && g.status != Blocked && IsBelow(n.owner, to) && g.Kind().LevelAttr() == k.LevelAttr() &&
			g.Kind().Weight(g.want.Object) > k.Weight(n.want.Object) {
			return g, to
		}
	}
	return nil, nil
}
