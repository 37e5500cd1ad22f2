package match

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// -target and -exclude narrow a plan to a part of the world, its scope. Declarations outside it are
// evaluated, because others may refer to them, but not read: they are neither gone nor orphaned,
// and have no change. Some are matched all the same, only so that their live objects are not
// deleted as strays or orphans.

// Scope is the part of the world that a narrowed plan covers. A nil scope includes everything.
type Scope struct {
	named, excluded []addr.Instance // as -target and -exclude have them
	target, exclude []addr.Instance // with the addresses that the ledger has for these
	destroy         bool

	declared, ledger map[addr.Instance]bool // the included addresses
}

func newScope(opts Options, led *ledger.Ledger) *Scope {
	if len(opts.Target)+len(opts.Exclude) == 0 {
		return nil
	}
	return &Scope{named: currentAddresses(opts.Target, led), excluded: currentAddresses(opts.Exclude, led),
		destroy: opts.Destroy}
}

// currentAddresses replaces addresses that this plan gives to deposed objects by the ones that the
// ledger has so far.
func currentAddresses(list []addr.Instance, led *ledger.Ledger) []addr.Instance {
	list = slices.Clone(list)
	for i, a := range list {
		if _, there := led.Entries[a]; !there {
			list[i] = a.Declared()
		}
	}
	return list
}

// String describes the scope for the notes of the plan.
func (v *Scope) String() string {
	with, without := "dependencies", "dependents"
	if v.destroy {
		with, without = without, with
	}
	var parts []string
	if len(v.named) > 0 {
		parts = append(parts, "it covers only "+joinWith(v.named, with))
	}
	if len(v.excluded) > 0 {
		parts = append(parts, "it leaves out "+joinWith(v.excluded, without))
	}
	return "This plan is partial: " + strings.Join(parts, ", and ") + ". Everything else is left unchanged."
}

// joinWith joins addresses and what comes with them: "group.a and its dependents".
func joinWith(list []addr.Instance, others string) string {
	whose := "its"
	if len(list) > 1 {
		whose = "their"
	}
	return fmt.Sprintf("%s and %s %s", joinAddresses(list), whose, others)
}

func joinAddresses(list []addr.Instance) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.String()
	}
	return strings.Join(names, ", ")
}

// Named returns the addresses given with -target and -exclude.
func (v *Scope) Named() (target, exclude []addr.Instance) {
	if v == nil {
		return nil, nil
	}
	return v.named, v.excluded
}

// Includes reports whether a declared address is in the scope.
func (v *Scope) Includes(a addr.Instance) bool { return v == nil || v.declared[a] }

// includesEntry reports whether an orphaned ledger entry is in the scope.
func (v *Scope) includesEntry(a addr.Instance) bool { return v == nil || v.ledger[a] }

// IncludesStray reports whether a stray is in the scope.
func (v *Scope) IncludesStray(stray addr.Instance) bool {
	return v == nil || !containsAny(v.exclude, stray) && (len(v.target) == 0 || containsAny(v.target, stray))
}

func containsAny(list []addr.Instance, a addr.Instance) bool {
	return slices.ContainsFunc(list, func(t addr.Instance) bool { return t.Contains(a) })
}

// narrow computes the declarations in scope from the dependencies known so far, and the order in
// which to match them.
func (w *World) narrow() {
	w.order = w.order[:0]
	if w.scope == nil {
		w.order = append(w.order, w.all...)
		return
	}
	w.scope.target, w.scope.exclude = w.withRegrouped(w.scope.named), w.withRegrouped(w.scope.excluded)
	for _, n := range w.all {
		id := ByID(n.Kind().Name, n.entryID())
		if n.Kind().Tree != nil && id.id != "" && w.byRefKey[id] == nil && !w.mayExchange(n) {
			w.byRefKey[id] = n
		}
	}
	for _, s := range w.EachDeclaration() {
		w.Resolve(s) // a path or an id may refer to a declared object
	}
	needs, whole := addressGraph{}, map[addr.Instance]bool{}
	for a, s := range w.EachDeclaration() {
		needs[a] = w.Dependencies(s)
		whole[a] = w.claimants[a] != nil
	}
	for _, b := range w.res.Blocked {
		needs[b.Addr], whole[b.Addr] = append(w.keySources(b.Addr), b.Causes...), true
	}
	for a, s := range w.sources {
		needs[a] = append(needs[a], w.answersWith(s)...) // fewer results, as for_each keys, must not create orphans
	}
	w.scope.declared = w.scope.selectFrom(needs, needs.reverse(), whole)
	for _, n := range w.all {
		if w.scope.declared[n.want.Addr] {
			w.order = append(w.order, n)
		}
	}
	w.narrowOrphans()
}

// narrowOrphans computes the orphans in scope. Deleting an orphan includes everything that depends
// on it; excluding an orphan excludes what it depends on.
func (w *World) narrowOrphans() {
	needs, blocks := addressGraph{}, map[addr.Block][]addr.Instance{}
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
		for _, need := range e.DependsOn {
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
			// A deposed object is deleted after its successor is created.
			w.scope.ledger[a] = w.scope.declared[n.want.Addr] && !containsAny(w.scope.exclude, a)
		}
	}
}

// selectFrom returns the targets with everything reachable along one graph, or everything, minus
// the excluded addresses and what is reachable from them along the other. A target that is not a
// node by itself selects the whole that contains it: a stray selects its exclusive block.
func (v *Scope) selectFrom(along, against addressGraph, whole map[addr.Instance]bool) map[addr.Instance]bool {
	in, out := map[addr.Instance]bool{}, map[addr.Instance]bool{}
	for a := range along {
		if len(v.target) == 0 || containsAny(v.target, a) {
			along.markReachable(a, in)
		}
		if containsAny(v.exclude, a) {
			against.markReachable(a, out)
		}
	}
	for _, t := range v.target {
		if along.hasAnyIn(t) {
			continue
		}
		for a := range whole {
			if whole[a] && a.Contains(t) {
				along.markReachable(a, in)
			}
		}
	}
	for a := range out {
		delete(in, a)
	}
	return in
}

// matchExcluded matches nodes outside the scope whose live objects may otherwise be deleted: as the
// orphan of a renamed block, or as a stray.
func (w *World) matchExcluded() {
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
		if gone[n.Kind()] && (n.entry == nil || w.hasPeers(n)) || w.mayBeClaimed(n) {
			n.excluded = true
			w.matchNode(n, 0)
		}
	}
}

// mayBeClaimed reports whether n may be in a collection that an exclusive block in scope claims.
func (w *World) mayBeClaimed(n *Node) bool {
	for x, s := range w.Claims() {
		if x.Kind != n.Kind() || !w.scope.Includes(x.Addr) || s.owner == nil {
			continue
		}
		own := schema.AsRef(n.want.Object.Get(n.Kind().Owner().Name))
		if own == nil || own.Same(s.owner) || !canCompare(own, s.owner) {
			return true
		}
	}
	return false
}

// canCompare reports whether two references can be compared: not if one has only an id and the
// other only a path.
func canCompare(a, b *schema.Ref) bool {
	return a.ID != "" && b.ID != "" || a.Path != "" && b.Path != "" || a.Addr != "" && b.Addr != ""
}
