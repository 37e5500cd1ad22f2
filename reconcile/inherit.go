package reconcile

import (
	"context"
	"fmt"
	"strings"

	"hew/schema"
)

// inherit blocks objects that would weigh less than what their owner inherits:
// the host refuses a member with a lower level than the group above gives him.
// Only what is about to be made or lightened is checked, so a plan without
// such changes reads nothing for it.
func (r *Run) inherit(ctx context.Context) error {
	w := r.world
	above := map[*node]schema.Collection{}
	w.queries, w.asks, w.askIDs = nil, nil, nil
	for _, n := range w.order {
		if coll, ok := w.above(n); ok {
			above[n] = coll
			w.list(n.kind(), coll)
		}
	}
	if len(w.queries) > 0 {
		if err := r.read(ctx); err != nil {
			return err
		}
	}
	for n, coll := range above {
		w.outweigh(n, w.colls[coll])
	}
	return nil
}

// above is the collection that n inherits from, where n is going to weigh
// something new.
func (w *world) above(n *node) (schema.Collection, bool) {
	k := n.kind()
	if k.Inherited == "" || n.owner == nil || n.status != missing && n.status != matched {
		return schema.Collection{}, false
	}
	if n.status == matched && k.Weight(n.live) <= k.Weight(n.want.Object) {
		return schema.Collection{}, false // what the host has, it has allowed
	}
	owner := w.kind(k.Owner().Ref)
	if owner.Tree == nil {
		return schema.Collection{}, false
	}
	var parent *schema.Ref
	if target := w.byAddr(owner.Name, n.owner); target != nil {
		parent = target.owner
	} else if r := w.found[lookup{kind: owner.Name, key: strings.ToLower(n.owner.Path)}]; len(r.Objects) > 0 {
		parent = schema.AsRef(r.Objects[0].Get(owner.Tree.Owner))
	}
	if parent == nil || parent.ID == "" {
		return schema.Collection{}, false
	}
	return k.Above(parent.ID), true
}

// outweigh blocks n if the collection above has it with more weight.
func (w *world) outweigh(n *node, c *collection) {
	if c == nil || c.state != schema.Present {
		return // the host has the last word at apply
	}
	a, v, ok := key(n.want.Object)
	if !ok {
		return
	}
	for _, i := range c.match(a, keyTexts(a, v)) {
		if has := n.kind().Weight(c.objs[i]); has > n.kind().Weight(n.want.Object) {
			n.block(fmt.Sprintf("%s inherits %s %s from above; state that or more, or take the line out", keyTitle(n.want.Object), n.kind().Weighs, shown(c.objs[i], n.kind().Weighs)))
		}
	}
}

func shown(o schema.Object, attr string) string {
	a, v := o.Kind.Attr(attr), o.Get(attr)
	if a.Show != nil {
		return a.Show(v)
	}
	return schema.Encode(a.Canonical(v))
}
