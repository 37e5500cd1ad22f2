package match

import "fmt"

// checkInheritedWeight reports whether n can have the level that it declares. now is the level on
// the host, 0 for none. The host refuses a member with a lower level than it inherits, so such a
// node is blocked. Only new and lowered levels are checked; a plan without them reads nothing here.
// It also returns false while the inherited level has to be read.
func (w *World) checkInheritedWeight(n *Node, now int) bool {
	k := n.Kind()
	if k.InheritedPath() == "" || n.owner == nil || n.owner.ID == "" || now > 0 && now <= k.Weight(n.want.Object) {
		return true // the host has already accepted it
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
