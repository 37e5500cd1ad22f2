package reconcile

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

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
			add(config.Blocked{Addr: n.want.Addr, Why: n.why, By: n.by, Decl: where(&n.seeker)})
		case skipped:
			skips[n.want.Addr] = true
		}
	}
	for a, s := range w.things() {
		if !w.narrowing.has(a) || w.checks(a) {
			continue
		}
		if s.status == pending && s.owner != nil && nowhere(s.owner) {
			s.block(s.owner.Addr + ", which it is about, cannot be planned")
		}
		if s.status == blocked {
			add(config.Blocked{Addr: a, Why: s.why, By: s.by, Decl: where(s)})
		}
	}
	for _, b := range w.res.Blocked {
		if !w.narrowing.has(b.Addr) || w.checks(b.Addr) {
			continue
		}
		if n := w.nodes[b.Addr]; n != nil && n.status == skipped || slices.ContainsFunc(b.By, func(a addr.Instance) bool { return skips[a] }) {
			continue
		}
		add(b)
	}
	return out
}

// checks tells whether a data source serves a check alone, which tells itself
// what cannot be read.
func (w *world) checks(a addr.Instance) bool {
	if a.Mode != addr.Data || w.block == nil {
		return false
	}
	b := w.block(a.Block)
	return b != nil && b.Check != ""
}

// facts gathers what guards look at.
func (r *Run) facts(mode Mode) *plan.Facts {
	w := r.world
	f := &plan.Facts{
		Limits: r.cfg.Hew().Guards, Self: w.self, Destroy: mode == Destroy, Declared: len(w.all) + len(w.res.Blocked),
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
		if n.lost != "" && !lost[n.lost] {
			lost[n.lost] = true
			f.Lost = append(f.Lost, plan.Lost{Title: n.lost, Addr: n.want.Addr})
		}
		if n.gone && n.kind().Tree != nil {
			f.Lost = append(f.Lost, plan.Lost{Title: n.title(), Addr: n.want.Addr})
		}
		if c := w.colls[n.coll]; n.entry != nil && c != nil && (c.state == schema.Unsupported || c.state == schema.OwnerAbsent) && !lost[n.coll.Path] {
			lost[n.coll.Path] = true
			f.Lost = append(f.Lost, plan.Lost{Title: n.coll.Path, Addr: n.want.Addr, Whole: c.state == schema.Unsupported})
		}
	}
	for _, o := range w.orphans {
		if o.fate == remove || o.fate == reset {
			f.Managed++
		}
	}
	if w.narrowing != nil {
		f.Declared += len(w.narrowing.target)          // what is named is meant, however empty the files are
		f.Managed = max(f.Managed, len(r.led.Entries)) // limits go by everything, not by what was singled out
	}
	slices.SortFunc(f.Lost, func(a, b plan.Lost) int { return cmp.Compare(a.Title, b.Title) })
	return f
}

// where is the place in the source for a message about n.
func where(n *seeker) hcl.Range {
	if n.want.Block == nil {
		return hcl.Range{}
	}
	return n.want.Range(n.at)
}
