package match

import (
	"fmt"
)

// checkInheritedWeight reports whether n may be given the weight it states, now being what
// the host has (0 for nothing). An object that would weigh less than what its
// owner inherits is blocked: the host refuses a member with a lower level than
// the group above gives. Only what is about to be made or lightened is
// checked, so a plan without such changes reads nothing for it. It returns
// false, too, while what is above has to be read.
func (w *World) checkInheritedWeight(n *Node, now int) bool {
	k := n.Kind()
	if k.InheritedPath() == "" || n.owner == nil || n.owner.ID == "" || now > 0 && now <= k.Weight(n.want.Object) {
		return true // what the host has, it has allowed
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
		return true // the host has the last word at apply
	}
	for _, i := range c.Match(a, KeyTexts(a, v)) {
		if k.Weight(c.objs[i]) > k.Weight(n.want.Object) {
			n.Block(fmt.Sprintf("%s inherits %s %s from above; state that or more, or take the line out",
				KeyTitle(n.want.Object), k.LevelAttr(), showAttr(c.objs[i], k.LevelAttr())))
			return false
		}
	}
	return true
}
