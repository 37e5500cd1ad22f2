package match

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// A narrowed plan is about a part of the world. What is left out is evaluated,
// for the rest may name it, and nothing more: it is not read, it counts neither
// as gone nor as something that nobody declares, and it has no change. The one
// exception are declared things that are placed only so that their objects are
// not deleted as strays or orphans.

// Scope is what a narrowed plan is about. A nil scope includes everything.
type Scope struct {
	target, exclude []addr.Instance
	destroy         bool

	declared, ledger map[addr.Instance]bool // what is in
}

func newScope(opts Options, led *ledger.Ledger) *Scope {
	if len(opts.Target)+len(opts.Exclude) == 0 {
		return nil
	}
	return &Scope{target: currentAddresses(opts.Target, led), exclude: currentAddresses(opts.Exclude, led),
		destroy: opts.Destroy}
}

// currentAddresses replaces the address that this plan will give to a deposed
// object by the one that it has until then.
func currentAddresses(list []addr.Instance, led *ledger.Ledger) []addr.Instance {
	list = slices.Clone(list)
	for i, a := range list {
		if _, there := led.Entries[a]; !there {
			list[i] = a.Declared()
		}
	}
	return list
}

// String says what the plan leaves out.
func (v *Scope) String() string {
	with, without := "what that depends on", "what depends on that"
	if v.destroy {
		with, without = without, with
	}
	var parts []string
	if len(v.target) > 0 {
		parts = append(parts, fmt.Sprintf("only %s and %s", joinAddresses(v.target), with))
	}
	if len(v.exclude) > 0 {
		parts = append(parts, fmt.Sprintf("not %s and %s", joinAddresses(v.exclude), without))
	}
	return "This plan is partial: " + strings.Join(parts, ", and ") + ". Everything else is left as it is."
}

func joinAddresses(list []addr.Instance) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.String()
	}
	return strings.Join(names, ", ")
}

// Named returns what the command line names, with -target and with -exclude.
func (v *Scope) Named() (target, exclude []addr.Instance) {
	if v == nil {
		return nil, nil
	}
	return v.target, v.exclude
}

// Includes reports whether a declared thing is a part of the plan.
func (v *Scope) Includes(a addr.Instance) bool { return v == nil || v.declared[a] }

// includesEntry reports the same of a ledger entry that nobody declares.
func (v *Scope) includesEntry(a addr.Instance) bool { return v == nil || v.ledger[a] }

// IncludesStray reports whether a stray is one of those that the plan is about.
func (v *Scope) IncludesStray(stray addr.Instance) bool {
	return v == nil || !containsAny(v.exclude, stray) && (len(v.target) == 0 || containsAny(v.target, stray))
}

func containsAny(list []addr.Instance, a addr.Instance) bool {
	return slices.ContainsFunc(list, func(t addr.Instance) bool { return t.Contains(a) })
}

// narrow decides which of the declared things are in, as far as is known by now
// what depends on what, and puts them into the order of placing.
func (w *World) narrow() {
	w.order = w.order[:0]
	if w.scope == nil {
		w.order = append(w.order, w.all...)
		return
	}
	for _, n := range w.all {
		if id := ByID(n.Kind().Name, n.entryID()); n.Kind().Tree != nil && id.id != "" && w.byThing[id] == nil {
			w.byThing[id] = n
		}
	}
	for _, s := range w.Seekers() {
		w.Resolve(s) // a path or an id may lead to something declared
	}
	needs, whole := links{}, map[addr.Instance]bool{}
	for a, s := range w.Seekers() {
		needs[a] = w.Dependencies(s)
		whole[a] = w.claimants[a] != nil
	}
	for _, b := range w.res.Blocked {
		needs[b.Addr], whole[b.Addr] = append(w.keySources(b.Addr), b.By...), true
	}
	for a, s := range w.sources {
		needs[a] = append(needs[a], w.answersWith(s)...) // fewer keys must not make orphans
	}
	w.scope.declared = w.scope.selectFrom(needs, needs.reverse(), whole)
	for _, n := range w.all {
		if w.scope.declared[n.want.Addr] {
			w.order = append(w.order, n)
		}
	}
	w.narrowLedger()
}

// narrowLedger decides the same of what nobody declares. There the deletion of
// one takes along what needs it, and is left out with what needs it.
func (w *World) narrowLedger() {
	needs, blocks := links{}, map[addr.Block][]addr.Instance{}
	for a := range w.Ledger.Entries {
		if w.nodes[a] == nil {
			blocks[a.Block] = append(blocks[a.Block], a)
		}
	}
	for a, e := range w.Ledger.Entries {
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
	w.scope.ledger = w.scope.selectFrom(needs.reverse(), needs, nil)
	for a := range needs {
		if n := w.nodes[a.Declared()]; n != nil {
			// It goes when its successor is there.
			w.scope.ledger[a] = w.scope.declared[n.want.Addr] && !containsAny(w.scope.exclude, a)
		}
	}
}

// selectFrom returns the targets with all they lead to, or everything, without what
// is excluded and all that leads to. A target that is nothing by itself brings in
// the whole that it is within: the claim of a collection for one of its strays.
func (v *Scope) selectFrom(along, against links, whole map[addr.Instance]bool) map[addr.Instance]bool {
	in, out := map[addr.Instance]bool{}, map[addr.Instance]bool{}
	for a := range along {
		if len(v.target) == 0 || containsAny(v.target, a) {
			along.mark(a, in)
		}
		if containsAny(v.exclude, a) {
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
func (w *World) placeExcluded() {
	if w.scope == nil {
		return
	}
	gone := map[*schema.Kind]bool{}
	for _, o := range w.orphans {
		gone[o.kind] = true
	}
	for _, n := range w.all {
		if w.scope.Includes(n.want.Addr) {
			continue
		}
		if n.entry == nil && gone[n.Kind()] || w.mayBeClaimed(n) {
			n.outside = true
			w.placeNode(n, 0)
		}
	}
}

// mayBeClaimed reports whether n may be in a collection that an exclusive block claims
// in this plan.
func (w *World) mayBeClaimed(n *Node) bool {
	for x, s := range w.Claims() {
		if x.Kind != n.Kind() || !w.scope.Includes(x.Addr) || s.owner == nil {
			continue
		}
		own := schema.AsRef(n.want.Object.Get(n.Kind().Owner().Name))
		if own == nil || own.Same(s.owner) || !distinct(own, s.owner) {
			return true
		}
	}
	return false
}

// distinct reports whether two references can be told apart: not where one has
// but an id and the other but a path.
func distinct(a, b *schema.Ref) bool {
	return a.ID != "" && b.ID != "" || a.Path != "" && b.Path != "" || a.Addr != "" && b.Addr != ""
}
