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
	own := n.want.Addr
	otherEntry := w.Ledger.Entries[at]
	ownEntry, exists := w.Ledger.Entries[own]
	left := w.Ledger.Remove(at)
	taken := w.Ledger.Set(own, otherEntry)
	if exists {
		left = w.Ledger.Set(at, ownEntry)
		w.recordExchange(own, at)
	} else {
		w.recordTaking(own, at)
	}
	w.rewrites = append(w.rewrites, taken, left) // after a crash in between, two addresses rather than none
	n.entry, n.from = &otherEntry, w.movedFrom[own]
	if p := w.nodes[at]; p != nil {
		p.entry, p.from = nil, addr.Instance{}
		if exists {
			p.entry, p.from = &ownEntry, w.movedFrom[at]
		}
	}
	delete(w.orphans, at) // it is another object now
	w.exchanged = true
}

// recordExchange records where the exchanged entries of two addresses were before.
func (w *World) recordExchange(a, b addr.Instance) {
	for _, from := range []map[addr.Instance]addr.Instance{w.movedFrom, w.renumbered} {
		fromA, fromB := takeOriginal(from, a), takeOriginal(from, b)
		recordOriginal(from, a, fromB)
		recordOriginal(from, b, fromA)
	}
}

// recordTaking records where the entry of b, which a has taken, was before.
func (w *World) recordTaking(a, b addr.Instance) {
	for _, from := range []map[addr.Instance]addr.Instance{w.movedFrom, w.renumbered} {
		delete(from, a)
		recordOriginal(from, a, takeOriginal(from, b))
	}
}

// takeOriginal returns the first address of the entry at an address, and removes it from the
// record.
func takeOriginal(from map[addr.Instance]addr.Instance, at addr.Instance) addr.Instance {
	first := original(from, at)
	delete(from, at)
	return first
}

func recordOriginal(from map[addr.Instance]addr.Instance, at, first addr.Instance) {
	if first != at {
		from[at] = first
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
