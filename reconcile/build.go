package reconcile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// build turns the settled world into a plan.
func (r *Run) build(mode Mode) {
	w := r.world
	p := &plan.Plan{
		Outputs:    w.res.Outputs,
		Sizes:      make(map[schema.Collection]int, len(w.colls)),
		Ledgerless: !r.known,
	}
	for coll, c := range w.colls {
		p.Sizes[coll] = len(c.objs)
	}
	w.nameRefs()
	for _, n := range w.order {
		if c, ok := r.change(n); ok {
			p.Changes = append(p.Changes, c)
		}
	}
	r.orphans(p)
	r.strays(p)
	p.Blocked = r.blocked()
	slices.SortStableFunc(p.Changes, func(a, b plan.Change) int { return a.Addr.Compare(b.Addr) })
	slices.SortStableFunc(p.Blocked, func(a, b config.Blocked) int { return a.Addr.Compare(b.Addr) })
	p.Notes = append(append(p.Notes, w.notes...), r.back.Notes()...)
	p.Guard(r.facts(mode))
	if mode == Drift {
		p = p.Drift()
	}
	p.Sum(r.digest)
	p.Stats = plan.Stats{Requests: r.eng.Provider.Requests(), Seconds: time.Since(r.begun).Seconds(), Objects: len(w.order)}
	r.Plan = p
}

// change says what is to be done about one declared object; false where
// nothing is, because it is blocked or left alone.
func (r *Run) change(n *node) (plan.Change, bool) {
	if n.status == waiting {
		r.wait(n)
	}
	r.fill(n)
	c := plan.Change{
		Addr: n.want.Addr, From: n.from, Kind: n.kind(), Title: n.title(), Owner: ownerTitle(n), Collection: n.coll,
		After: n.want.Object, Decl: declOf(n), Desired: &n.want, Entry: n.entry, Needs: n.want.Needs,
		Gone: n.gone, AdoptsIfFound: n.unkeyd, Why: n.note,
	}
	if n.want.Block != nil {
		c.Allow = n.want.Block.Lifecycle.Allow
	}
	switch n.status {
	case missing:
		c.Action, c.Cause, c.Paths = plan.Create, plan.ByConfig, plan.Created(&n.want)
		if n.gone {
			c.Cause, c.Why = plan.ByDrift, "deleted by hand since the last apply"
		}
		return c, true
	case matched:
		r.compare(n, &c)
		return c, true
	}
	return c, false
}

// compare decides what an object that exists needs.
func (r *Run) compare(n *node, c *plan.Change) {
	c.Before = n.live
	c.Restore = n.live.State == schema.PendingDeletion
	if n.entry != nil && n.entry.Pending {
		c.Why = "made by an earlier run that was cut off"
	}
	c.Paths = r.differ.Diff(&n.want, n.live, n.entry)
	switch {
	case plan.Replaces(c.Paths):
		c.Action = plan.Replace
	case n.entry == nil:
		c.Action = plan.Adopt
	case len(c.Paths) > 0 || c.Restore:
		c.Action = plan.Update
	case n.from != (addr.Instance{}):
		c.Action = plan.Move
	default:
		c.Action = plan.NoOp
	}
}

// wait settles what no reading can: an object whose key is known only once
// something else is made.
func (r *Run) wait(n *node) {
	switch {
	case n.owner == nil && n.kind().Owner() != nil && schema.Stated(n.want.Object, n.kind().Owner().Name):
		n.block("its " + n.kind().Owner().Name + " cannot be known before apply; refer to the resource itself")
	case n.coll != schema.Collection{} && r.world.colls[n.coll] == nil && n.coll.Path != n.kind().Root:
		n.block("its collection was not read")
	default:
		n.status, n.unkeyd = missing, true
	}
}

// fill gives a thing with a path its planned one, for ordering and for people.
func (r *Run) fill(n *node) {
	if t := n.kind().Tree; t != nil && n.path() != "" {
		n.want.Object.Value.Set(n.kind().Attr(t.Full), cty.StringVal(n.path()))
	}
}

func ownerTitle(n *node) string {
	if n.owner == nil {
		return ""
	}
	return n.owner.String()
}

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

// blocked collects what could not be planned, from the configuration's side
// and from the host's.
func (r *Run) blocked() []config.Blocked {
	w := r.world
	var out []config.Blocked
	seen := map[addr.Instance]bool{}
	add := func(b config.Blocked) {
		if !seen[b.Addr] {
			seen[b.Addr] = true
			out = append(out, b)
		}
	}
	skips := map[addr.Instance]bool{}
	for _, n := range w.order {
		switch n.status {
		case blocked:
			add(config.Blocked{Addr: n.want.Addr, Why: n.why, By: n.by, Decl: where(n)})
		case skipped:
			skips[n.want.Addr] = true
		}
	}
	for a, x := range w.claimant {
		if x.status == blocked {
			add(config.Blocked{Addr: a, Why: x.why, By: x.by, Decl: where(x)})
		}
	}
	for a, d := range w.data {
		if d.node.status == blocked {
			add(config.Blocked{Addr: a, Why: d.node.why, By: d.node.by, Decl: where(d.node)})
		}
	}
	for _, b := range w.res.Blocked {
		if n := w.nodes[b.Addr]; n != nil && n.status == skipped || slices.ContainsFunc(b.By, func(a addr.Instance) bool { return skips[a] }) {
			continue
		}
		add(b)
	}
	return out
}

// facts gathers what guards look at.
func (r *Run) facts(mode Mode) *plan.Facts {
	w := r.world
	f := &plan.Facts{
		Limits: w.res.Hew.Guards, Self: w.self, Destroy: mode == Destroy, Declared: len(w.order) + len(w.res.Blocked),
		Live: make(map[schema.Collection][]schema.Object, len(w.colls)),
	}
	if r.known {
		f.Ledger = r.led
	}
	for coll, c := range w.colls {
		f.Live[coll] = c.objs
	}
	lost := map[string]bool{}
	for _, n := range w.order {
		if n.status == matched {
			f.Managed++
		}
		if n.gone && n.kind().Tree != nil {
			f.Lost = append(f.Lost, plan.Lost{Title: n.title(), Addr: n.want.Addr})
		}
		if c := w.colls[n.coll]; n.entry != nil && c != nil && (c.state == schema.Unsupported || c.state == schema.OwnerAbsent) && !lost[n.coll.Path] {
			lost[n.coll.Path] = true
			f.Lost = append(f.Lost, plan.Lost{Title: n.coll.Path, Addr: n.want.Addr, Whole: c.state == schema.Unsupported})
		}
	}
	for _, o := range w.orphan {
		if o.fate == remove {
			f.Managed++
		}
	}
	slices.SortFunc(f.Lost, func(a, b plan.Lost) int { return cmp.Compare(a.Title, b.Title) })
	return f
}

// declOf is where the object is declared: the block, shared by all its
// instances. Whoever reports one element asks Desired.Range.
func declOf(n *node) *hcl.Range {
	if n.want.Block == nil {
		return nil
	}
	return &n.want.Block.Decl
}

// where is the place in the source for a message about n.
func where(n *node) hcl.Range {
	if n.want.Block == nil {
		return hcl.Range{}
	}
	return n.want.Range("")
}
