package match

import (
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
)

// exchange swaps the ledger entries of n and of an address. An address that is left without an
// object of its key gets the one that is left over: its object is changed, or deleted if no block
// declares the address.
func (w *World) exchange(n *Node, at addr.Instance) {
	here, own := w.Ledger.Entries[n.want.Addr]
	theirs := w.Ledger.Entries[at]
	left := w.Ledger.Remove(at)
	taken := w.Ledger.Set(n.want.Addr, theirs)
	if own {
		left = w.Ledger.Set(at, here)
	}
	w.rewrites = append(w.rewrites, taken, left) // after a crash in between, two addresses rather than none
	w.recordExchange(n.want.Addr, at, own)
	n.entry, n.from = &theirs, w.movedFrom[n.want.Addr]
	if p := w.nodes[at]; p != nil {
		p.entry, p.from = nil, addr.Instance{}
		if own {
			p.entry, p.from = &here, w.movedFrom[at]
		}
	}
	delete(w.orphans, at) // it is another object now
	w.exchanged = true
}

// recordExchange records where two exchanged entries were before. own is whether there was one at
// a.
func (w *World) recordExchange(a, b addr.Instance, own bool) {
	for _, from := range []map[addr.Instance]addr.Instance{w.movedFrom, w.renumbered} {
		fromA, fromB := original(from, a), original(from, b)
		delete(from, a)
		delete(from, b)
		if fromB != a {
			from[a] = fromB
		}
		if own && fromA != b {
			from[b] = fromA
		}
	}
}

// LedgerAddress returns the address that the ledger has, as it was read, for what is at an address
// in this plan.
func (w *World) LedgerAddress(at addr.Instance) addr.Instance { return original(w.movedFrom, at) }

func original(from map[addr.Instance]addr.Instance, at addr.Instance) addr.Instance {
	if first, moved := from[at]; moved {
		return first
	}
	return at
}

// RenumberDependencies changes the dependencies in the ledger, which order deletions, to the
// addresses that entries have since they were exchanged.
func (w *World) RenumberDependencies() {
	if len(w.renumbered) == 0 {
		return
	}
	now := make(map[addr.Instance]addr.Instance, len(w.renumbered))
	for to, from := range w.renumbered {
		now[from] = to
	}
	for _, at := range w.Ledger.Sorted() {
		if e := w.Ledger.Entries[at]; renumber(&e, now) {
			w.rewrites = append(w.rewrites, w.Ledger.Set(at, e))
		}
	}
	for _, n := range w.all {
		if n.entry != nil {
			renumber(n.entry, now)
		}
	}
	for _, o := range w.orphans {
		renumber(&o.entry, now)
	}
	clear(w.renumbered)
}

// renumber changes the addresses in an entry, and reports whether there were any to change.
func renumber(e *ledger.Entry, now map[addr.Instance]addr.Instance) (changed bool) {
	needs := slices.Clone(e.DependsOn)
	for i, at := range needs {
		if to, moved := now[at]; moved {
			needs[i], changed = to, true
		}
	}
	e.DependsOn = needs
	if to, moved := now[e.ReplacedFor]; moved {
		e.ReplacedFor, changed = to, true
	}
	return changed
}
