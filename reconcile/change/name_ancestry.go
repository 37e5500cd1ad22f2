package change

import (
	"fmt"
	"slices"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// checkAncestry blocks the object of a change that takes a name which an object in a group above
// keeps, or one below where hosts compare with those too. It reads each of these lists once.
func (h *holders) checkAncestry(c *plan.Change) {
	for _, name := range c.AncestryTaken() {
		rule := c.Kind.Unique[slices.IndexFunc(c.Kind.Unique,
			func(u schema.Unique) bool { return u.InAncestry == name.Kinds })]
		if rule.FreeRename && c.Action == plan.Update {
			continue
		}
		if h.obstructAncestry(c, name, "above", h.listsAbove(c, name.Kinds)) || rule.AboveOnly {
			continue
		}
		if owner := h.world.Node(c.Addr).Owner(); owner != nil && owner.ID != "" {
			below := place{h.world.Kind(c.Kind.Owner().RefKind()), owner.ID, name.Kinds}
			h.obstructAncestry(c, name, "below", h.listsBelow(below))
		}
	}
}

// obstructAncestry blocks the object of a change if an object in one of the lists keeps the name.
// It reports whether it did.
func (h *holders) obstructAncestry(c *plan.Change, name plan.AncestryName, where string, lists []*match.Collection,
) bool {
	for _, list := range lists {
		o, in, ok := h.named(list, name.In(list.Location()))
		if !ok || h.frees[match.IdentityOf(o.Kind, in, o.ID)] {
			continue
		}
		why := h.keeps(c, name.Within(), in, o)
		if why == "" {
			continue
		}
		h.obstruct(c, fmt.Sprintf("its %s is taken %s: it belongs to %s %s of %s (id %s), %s", c.Describe(name.Within()),
			where, o.Kind.Name, match.KeyTitle(o), h.world.OwnerTitleAt(o.Kind, in), o.ID, why))
		return true
	}
	return false
}

// listsAbove returns the lists with names of a sort in the groups above the owner of a change, the
// nearest first. Those that have to be read are left out.
func (h *holders) listsAbove(c *plan.Change, names string) (lists []*match.Collection) {
	w := h.world
	kind, owner := w.Kind(c.Kind.Owner().RefKind()), w.Node(c.Addr).Owner()
	for owner != nil && (owner.ID != "" || w.Target(kind.Name, owner) != nil) {
		above, ok := w.OwnerAbove(kind, owner)
		if !ok || above == nil {
			return lists
		}
		kind, owner = w.Kind(kind.Owner().RefKind()), above
		lists = append(lists, h.listsOf(place{kind, owner.ID, names})...)
	}
	return lists
}

// place is a group or project, and a sort of names in it.
type place struct {
	kind      *schema.Kind
	id, names string
}

// listsBelow returns the lists with names of a sort in everything in a group, at any depth. Those
// that have to be read are left out.
func (h *holders) listsBelow(in place) []*match.Collection {
	if lists, ok := h.below[in]; ok {
		return lists
	}
	var lists []*match.Collection
	for _, name := range h.world.Kinds.Names() {
		k := h.world.Kind(name)
		if k.Tree == nil || match.OwnerKind(k) != in.kind.Name {
			continue
		}
		if list := h.world.List(k, k.In(in.id)); list != nil {
			for _, o := range list.Objects() {
				inside := place{k, o.ID, in.names}
				lists = append(append(lists, h.listsOf(inside)...), h.listsBelow(inside)...)
			}
		}
	}
	h.below[in] = lists
	return lists
}

// listsOf returns the lists with names of a sort in one group or project.
func (h *holders) listsOf(in place) (lists []*match.Collection) {
	for _, name := range h.world.Kinds.Names() {
		k := h.world.Kind(name)
		if in.id == "" || match.OwnerKind(k) != in.kind.Name ||
			!slices.ContainsFunc(k.Unique, func(u schema.Unique) bool { return u.InAncestry == in.names }) {
			continue
		}
		if list := h.world.List(k, k.In(in.id)); list != nil {
			lists = append(lists, list)
		}
	}
	return lists
}
