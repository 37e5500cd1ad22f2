package ledger

import (
	"maps"
	"slices"

	"hew/reconcile/addr"
)

// identity is what an object is on the host, whatever its address: ids mean
// something only inside their own collection.
type identity struct{ collection, id string }

func (e Entry) identity() identity { return identity{e.Collection, e.ID} }

func newLedger() *Ledger {
	return &Ledger{Format: Format, Lineage: random(16), Entries: map[addr.Instance]Entry{}}
}

// Sorted returns all addresses in their order.
func (l *Ledger) Sorted() []addr.Instance {
	return slices.SortedFunc(maps.Keys(l.Entries), addr.Instance.Compare)
}

// Find returns the address under which the ledger has a live object. Of several,
// which only a crash amid a Move can leave, it is the first.
func (l *Ledger) Find(collection, id string) (addr.Instance, bool) {
	l.index()
	a, ok := l.live[identity{collection, id}]
	return a, ok
}

func (l *Ledger) index() {
	l.indexed.Do(func() {
		l.live = make(map[identity]addr.Instance, len(l.Entries))
		for a, e := range l.Entries {
			l.note(a, e)
		}
	})
}

func (l *Ledger) note(a addr.Instance, e Entry) {
	if old, taken := l.live[e.identity()]; e.ID != "" && (!taken || a.Less(old)) {
		l.live[e.identity()] = a
	}
}

// Set puts e at a, in place of what is there, and returns the change to Append.
func (l *Ledger) Set(a addr.Instance, e Entry) Delta {
	l.Remove(a)
	if l.Entries == nil {
		l.Entries = map[addr.Instance]Entry{}
	}
	l.Entries[a] = e
	l.note(a, e)
	return Delta{Addr: a, Entry: &e}
}

// Remove forgets a, which need not be there, and returns the change to Append.
func (l *Ledger) Remove(a addr.Instance) Delta {
	l.index()
	if id := l.Entries[a].identity(); l.live[id] == a {
		delete(l.live, id)
	}
	delete(l.Entries, a)
	return Delta{Addr: a}
}

// Move gives the entry at from the address to, also where other entries need it
// or are due for it, and returns the changes to Append: none where from is not known. The new
// address comes first, so that a crash leaves two addresses rather than none.
func (l *Ledger) Move(from, to addr.Instance) []Delta {
	e, ok := l.Entries[from]
	if !ok || from == to {
		return nil
	}
	deltas := []Delta{{}, l.Remove(from)}
	deltas[0] = l.Set(to, e)
	for _, a := range l.Sorted() {
		e := l.Entries[a]
		if !slices.Contains(e.Needs, from) && e.Due != from {
			continue
		}
		e.Needs = slices.Clone(e.Needs)
		for i, need := range e.Needs {
			if need == from {
				e.Needs[i] = to
			}
		}
		if e.Due == from {
			e.Due = to
		}
		deltas = append(deltas, l.Set(a, e))
	}
	return deltas
}
