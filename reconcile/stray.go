package reconcile

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// ownerOf names the owner of a collection for people.
func (w *world) ownerOf(k *schema.Kind, coll schema.Collection) string {
	if k == nil || k.Owner() == nil || k.Root != "" && coll.Path == k.Root {
		return ""
	}
	for _, id := range strings.Split(coll.Path, "/") {
		if k.In(id) == coll {
			ref := w.ref(k.Owner().Ref, schema.Ref{ID: id})
			w.nameRef(k.Owner().Ref, ref)
			return ref.String()
		}
	}
	return ""
}

// nameRefs finds the paths of things that were referred to by id and that some
// list has shown.
func (w *world) nameRefs() {
	for id, ref := range w.refs {
		kind, _, _ := strings.Cut(id, " ")
		w.nameRef(kind, ref)
	}
}

func (w *world) nameRef(kind string, ref *schema.Ref) {
	if ref.ID == "" || ref.Path != "" || w.kind(kind).Tree == nil {
		return
	}
	if r := w.found[lookup{kind: kind, id: ref.ID}]; len(r.Objects) > 0 {
		ref.Path = text(r.Objects[0].Get(w.kind(kind).Tree.Full))
		return
	}
	for _, c := range w.colls {
		if c.query.Kind.Name != kind {
			continue
		}
		if o, ok := c.find(ref.ID); ok {
			ref.Path = text(o.Get(o.Kind.Tree.Full))
			return
		}
	}
}

// orphans adds what happens to things nobody declares any more.
func (r *Run) orphans(p *plan.Plan) {
	for _, a := range r.led.Sorted() {
		o := r.world.orphan[a]
		if o == nil || r.world.nodes[a] != nil {
			continue
		}
		c := plan.Change{Addr: a, Kind: o.kind, Entry: &o.entry, Collection: o.coll, Title: o.entry.Key, Before: o.live, Why: o.why, Owner: r.world.ownerOf(o.kind, o.coll)}
		if o.kind == nil {
			p.Notes = append(p.Notes, fmt.Sprintf("The ledger has %s of a kind this hew does not know (%s); it is left alone.", a, o.entry.Kind))
			continue
		}
		if o.removal != nil {
			c.Allow, c.Decl = o.removal.Allow, &o.removal.Decl
			if o.removal.Destroy {
				c.Allow = append(slices.Clone(c.Allow), "adopted-delete", "unmarked-rename")
			}
		}
		switch o.fate {
		case unsure:
			if o.err != "" {
				p.Blocked = append(p.Blocked, config.Blocked{Addr: a, Why: o.err})
			}
			continue
		case moved:
			continue // its node carries the entry on
		case release, vanish:
			c.Action = plan.Release
		case remove:
			c.Action, c.Cause = plan.Delete, plan.ByConfig
		}
		p.Changes = append(p.Changes, c)
	}
}

// strays adds the deletion of whatever an exclusive block's collection holds
// and nobody declares.
func (r *Run) strays(p *plan.Plan) {
	w := r.world
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		n := w.claimant[x.Addr]
		c := w.colls[n.coll]
		if n.settled() || c == nil || c.state != schema.Present {
			continue
		}
		if why := w.unsettled(x, n.coll); why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("%s deletes nothing in %s this time: %s, and what it declares may be there.", x.Addr, ownerTitle(n), why))
			continue
		}
		managed := false
		for _, e := range r.led.Entries {
			managed = managed || e.Collection == n.coll.String()
		}
		for j := range c.objs {
			o := c.objs[j]
			id := identityOf(x.Kind, n.coll, o.ID)
			if w.claims[id] != nil || w.leaves[id] {
				continue
			}
			a := x.Addr
			a.Elem = strayElem(x, o)
			if o.Note != "" {
				p.Notes = append(p.Notes, fmt.Sprintf("%s is not declared and left alone: %s.", a, o.Note))
				continue
			}
			ch := plan.Change{
				Addr: a, Kind: x.Kind, Action: plan.Delete, Before: o, Collection: n.coll, Owner: ownerTitle(n), Title: keyTitle(o), Stray: true,
				Cause: plan.ByConfig, Why: "not in the configuration (exclusive)",
			}
			if managed {
				ch.Cause = plan.ByDrift
			}
			if x.Block != nil {
				ch.Decl, ch.Allow = x.Block.Decl.Ptr(), x.Block.Lifecycle.Allow
			}
			p.Changes = append(p.Changes, ch)
		}
	}
}

// unsettled tells why an exclusive collection may hold something that is
// declared and that the plan cannot recognise.
func (w *world) unsettled(x *config.Exclusive, coll schema.Collection) string {
	for _, n := range w.order {
		if n.kind() == x.Kind && (n.status == blocked || n.unkeyd) && (n.coll == coll || n.coll == schema.Collection{}) {
			return n.want.Addr.String() + " cannot be placed"
		}
	}
	for _, b := range w.res.Blocked {
		if b.Addr.Mode != addr.Resource {
			continue
		}
		k := w.kinds.Resources[b.Addr.Kind]
		if k == x.Kind || k != nil && k.Set != nil && k.Set.Element == x.Kind.Name {
			return b.Addr.String() + " is blocked"
		}
	}
	return ""
}

// strayElem names a stray: by its key in a set, by its id under an exclusive
// block.
func strayElem(x *config.Exclusive, o schema.Object) string {
	if x.Addr.Mode == addr.Exclusive {
		return o.ID
	}
	return keyTitle(o)
}

// keyTitle is an object's natural key for people.
func keyTitle(o schema.Object) string {
	if t := o.Kind.Tree; t != nil {
		return text(o.Get(t.Full))
	}
	for _, name := range o.Kind.Match.Keys {
		v := o.Get(name)
		if r := schema.AsRef(v); r != nil {
			return r.String()
		}
		if t := text(v); t != "" {
			return t
		}
	}
	return o.ID
}
