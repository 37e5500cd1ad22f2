package reconcile

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// A narrowed plan is about a part of the world. What is left out is evaluated,
// for the rest may name it, and nothing more: it is not read, it counts neither
// as gone nor as something that nobody declares, and it has no change. The one
// exception are witnesses: declared things that are placed so that they are not
// taken for strangers.

// narrowing is what a plan is about, where it is not about everything.
type narrowing struct {
	target, exclude []addr.Instance
	destroy         bool
	uses            map[addr.Block][]addr.Block // what a block refers to; modules without keys

	declared, ledger map[addr.Instance]bool // what is in
}

func newNarrowing(opts Options, cfg *config.Config, led *ledger.Ledger) *narrowing {
	if len(opts.Target)+len(opts.Exclude) == 0 {
		return nil
	}
	v := &narrowing{target: settled(opts.Target, led), exclude: settled(opts.Exclude, led), destroy: opts.Mode == Destroy, uses: map[addr.Block][]addr.Block{}}
	for _, d := range cfg.Dependencies() {
		v.uses[d.Block] = d.Needs
	}
	return v
}

// settled takes what will be deposed by this very plan for what it is until then.
func settled(list []addr.Instance, led *ledger.Ledger) []addr.Instance {
	list = slices.Clone(list)
	for i, a := range list {
		if _, there := led.Entries[a]; !there {
			list[i] = a.Declared()
		}
	}
	return list
}

// String tells people what the plan leaves out.
func (v *narrowing) String() string {
	with, without := "what that depends on", "what depends on that"
	if v.destroy {
		with, without = without, with
	}
	var parts []string
	if len(v.target) > 0 {
		parts = append(parts, fmt.Sprintf("only %s and %s", addresses(v.target), with))
	}
	if len(v.exclude) > 0 {
		parts = append(parts, fmt.Sprintf("not %s and %s", addresses(v.exclude), without))
	}
	return "This plan is partial: " + strings.Join(parts, ", and ") + ". Everything else is left as it is."
}

func addresses(list []addr.Instance) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.String()
	}
	return strings.Join(names, ", ")
}

// has tells whether a declared thing is a part of the plan.
func (v *narrowing) has(a addr.Instance) bool { return v == nil || v.declared[a] }

// had tells the same of a ledger entry that nobody declares.
func (v *narrowing) had(a addr.Instance) bool { return v == nil || v.ledger[a] }

// finds tells whether a stray is one of those that the plan is about.
func (v *narrowing) finds(stray addr.Instance) bool {
	return v == nil || !speaks(v.exclude, stray) && (len(v.target) == 0 || speaks(v.target, stray))
}

func speaks(list []addr.Instance, a addr.Instance) bool {
	return slices.ContainsFunc(list, func(t addr.Instance) bool { return t.Contains(a) })
}

// narrow decides which of the declared things are in, as far as is known by now
// what depends on what, and puts them into the order of placing.
func (w *world) narrow() {
	w.order = w.order[:0]
	if w.narrowing == nil {
		w.order = append(w.order, w.all...)
		return
	}
	for _, n := range w.all {
		if id := byID(n.kind().Name, n.entryID()); n.kind().Tree != nil && id.id != "" && w.byThing[id] == nil {
			w.byThing[id] = n
		}
	}
	for _, s := range w.things() {
		w.resolve(s) // a path or an id may lead to something declared
	}
	needs, whole := links{}, map[addr.Instance]bool{}
	for a, s := range w.things() {
		needs[a] = w.waits(s)
		whole[a] = w.claimants[a] != nil
	}
	for _, b := range w.res.Blocked {
		needs[b.Addr], whole[b.Addr] = append(w.unlocks(b.Addr), b.By...), true
	}
	for a, s := range w.sources {
		needs[a] = append(needs[a], w.counts(s)...) // fewer keys must not make orphans
	}
	w.narrowing.declared = w.narrowing.pick(needs, needs.reverse(), whole)
	for _, n := range w.all {
		if w.narrowing.declared[n.want.Addr] {
			w.order = append(w.order, n)
		}
	}
	w.narrowLedger()
}

// narrowLedger decides the same of what nobody declares. There the deletion of
// one takes along what needs it, and is left out with what needs it.
func (w *world) narrowLedger() {
	needs, blocks := links{}, map[addr.Block][]addr.Instance{}
	for a := range w.led.Entries {
		if w.nodes[a] == nil {
			blocks[a.Block] = append(blocks[a.Block], a)
		}
	}
	for a, e := range w.led.Entries {
		if w.nodes[a] != nil {
			continue
		}
		needs[a] = nil
		for _, need := range e.Needs {
			if w.nodes[need] == nil {
				needs[a] = append(needs[a], need)
				if need.Key == "" {
					needs[a] = append(needs[a], blocks[need.Block]...)
				}
			}
		}
	}
	w.narrowing.ledger = w.narrowing.pick(needs.reverse(), needs, nil)
	for a := range needs {
		if n := w.nodes[a.Declared()]; n != nil {
			w.narrowing.ledger[a] = w.narrowing.declared[n.want.Addr] && !speaks(w.narrowing.exclude, a) // goes when its successor is there
		}
	}
}

// pick returns the targets with all they lead to, or everything, without what
// is excluded and all that leads to. A target that is nothing by itself brings in
// the whole that it is within: the claim of a collection for one of its strays.
func (v *narrowing) pick(along, against links, whole map[addr.Instance]bool) map[addr.Instance]bool {
	in, out := map[addr.Instance]bool{}, map[addr.Instance]bool{}
	for a := range along {
		if len(v.target) == 0 || speaks(v.target, a) {
			along.mark(a, in)
		}
		if speaks(v.exclude, a) {
			against.mark(a, out)
		}
	}
	for _, t := range v.target {
		if along.anyIn(t) {
			continue
		}
		for a := range whole {
			if whole[a] && a.Contains(t) {
				along.mark(a, in)
			}
		}
	}
	for a := range out {
		delete(in, a)
	}
	return in
}

// placeExcluded places what is left out and may be one of the objects that are to be
// deleted: a renamed block's, or one in a collection that is claimed.
func (w *world) placeExcluded() {
	if w.narrowing == nil {
		return
	}
	gone := map[*schema.Kind]bool{}
	for _, o := range w.orphans {
		gone[o.kind] = true
	}
	for _, n := range w.all {
		if w.narrowing.has(n.want.Addr) {
			continue
		}
		if n.entry == nil && gone[n.kind()] || w.claimed(n) {
			n.witness = true
			w.place(n, 0)
		}
	}
}

// claimed tells whether n may be in a collection that an exclusive block claims
// in this plan.
func (w *world) claimed(n *node) bool {
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		s := w.claimants[x.Addr]
		if x.Kind != n.kind() || !w.narrowing.has(x.Addr) || s.owner == nil {
			continue
		}
		own := schema.AsRef(n.want.Object.Get(n.kind().Owner().Name))
		if own == nil || own.Same(s.owner) || !distinct(own, s.owner) {
			return true
		}
	}
	return false
}

// distinct tells whether two references can be told apart: not where one has
// but an id and the other but a path.
func distinct(a, b *schema.Ref) bool {
	return a.ID != "" && b.ID != "" || a.Path != "" && b.Path != "" || a.Addr != "" && b.Addr != ""
}
