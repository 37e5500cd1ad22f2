package ledger

import (
	"maps"
	"slices"
	"sync"

	"hew/reconcile/addr"
	"hew/schema/urlmask"
)

// Format is the version of the text form.
const Format = 1

// Entry is what the ledger records of one instance.
type Entry struct {
	Kind        string            `json:"kind"`
	Collection  string            `json:"collection,omitempty"` // canonical path of the object's collection
	Key         string            `json:"key,omitempty"`        // natural key: shown to people, and finds a lost object
	ID          string            `json:"id,omitempty"`         // on the host, unique in the collection only
	Created     bool              `json:"created,omitempty"`    // false: the object was adopted
	Protected   bool              `json:"protected,omitempty"`  // prevent_destroy, kept after the block is removed
	Pending     bool              `json:"pending,omitempty"`    // a create was sent and its response is not recorded
	Owned       map[string]Digest `json:"owned,omitempty"`      // of each applied value, by attribute
	Meant       map[string]string `json:"meant,omitempty"`      // ids of what was named, by kind and name: "user zoe"
	DependsOn   []addr.Instance   `json:"needs,omitempty"`      // dependencies, which order deletions
	ReplacedFor addr.Instance     `json:"due,omitzero"`         // whose change is why this object is to be replaced

	outspoken bool // the stored Key has secrets that Key does not have
}

// Outspoken reports whether the entry is stored with secrets in its key, as hew once did. Key does
// not have them. Storing the entry again removes them.
func (e Entry) Outspoken() bool { return e.outspoken }

// redactKey removes the secrets of a URL from the key.
func (e *Entry) redactKey() {
	redacted := urlmask.RedactText(e.Key)
	e.Key, e.outspoken = redacted, redacted != e.Key
}

// identity names a live object, whatever its address.
type identity struct{ collection, id string }

func (e Entry) identity() identity { return identity{e.Collection, e.ID} }

func (e Entry) clone() Entry {
	e.Owned, e.Meant, e.DependsOn = maps.Clone(e.Owned), maps.Clone(e.Meant), slices.Clone(e.DependsOn)
	return e
}

// Header is what the ledger records of itself.
type Header struct {
	Format         int    `json:"hew_ledger,omitempty"`
	Serial         uint64 `json:"serial,omitempty"`  // grows with every line ever written
	Host           string `json:"host,omitempty"`    // base URL of the API; "" until Open binds a new ledger
	Lineage        string `json:"lineage,omitempty"` // random, salts plain digests
	KeyFingerprint string `json:"key,omitempty"`     // of the digest key; "" until a secret was digested
}

// Ledger is a header and the entries. Change Entries with Set, Remove and Move only, from one
// goroutine at a time.
type Ledger struct {
	Header
	Entries map[addr.Instance]Entry

	indexed    sync.Once
	byIdentity map[identity]addr.Instance
}

// Delta is one change of the ledger: Entry is set at Addr, or removed where it is nil.
type Delta struct {
	Addr  addr.Instance
	Entry *Entry
}

func newLedger() *Ledger {
	return &Ledger{Header: Header{Format: Format, Lineage: randomText(16)}, Entries: map[addr.Instance]Entry{}}
}

// Sorted returns all addresses in address order.
func (l *Ledger) Sorted() []addr.Instance {
	return slices.SortedFunc(maps.Keys(l.Entries), addr.Instance.Compare)
}

// Find returns the address of a live object. A crash during Move can leave two addresses for one
// object; Find then returns the lesser one.
func (l *Ledger) Find(collection, id string) (addr.Instance, bool) {
	l.buildIndex()
	a, ok := l.byIdentity[identity{collection, id}]
	return a, ok
}

func (l *Ledger) buildIndex() {
	l.indexed.Do(func() {
		l.byIdentity = make(map[identity]addr.Instance, len(l.Entries))
		for a, e := range l.Entries {
			l.indexEntry(a, e)
		}
	})
}

func (l *Ledger) indexEntry(a addr.Instance, e Entry) {
	if old, ok := l.byIdentity[e.identity()]; e.ID != "" && (!ok || a.Less(old)) {
		l.byIdentity[e.identity()] = a
	}
}

// Set stores e at a, replacing the entry there, and returns the change to Append.
func (l *Ledger) Set(a addr.Instance, e Entry) Delta {
	l.Remove(a)
	if l.Entries == nil {
		l.Entries = map[addr.Instance]Entry{}
	}
	l.Entries[a] = e
	l.indexEntry(a, e)
	return Delta{Addr: a, Entry: &e}
}

// Remove deletes the entry at a, if there is one, and returns the change to Append.
func (l *Ledger) Remove(a addr.Instance) Delta {
	l.buildIndex()
	if id := l.Entries[a].identity(); l.byIdentity[id] == a {
		delete(l.byIdentity, id)
	}
	delete(l.Entries, a)
	return Delta{Addr: a}
}

// Move renames the entry at from, also in the Needs and Due of other entries, and returns the
// changes to Append: none if from has no entry. The new address comes first, so that a crash leaves
// two addresses rather than none.
func (l *Ledger) Move(from, to addr.Instance) []Delta {
	e, ok := l.Entries[from]
	if !ok || from == to {
		return nil
	}
	removed := l.Remove(from)
	deltas := []Delta{l.Set(to, e), removed}
	for _, a := range l.Sorted() {
		e := l.Entries[a]
		if !slices.Contains(e.DependsOn, from) && e.ReplacedFor != from {
			continue
		}
		e.DependsOn = slices.Clone(e.DependsOn)
		for i, need := range e.DependsOn {
			if need == from {
				e.DependsOn[i] = to
			}
		}
		if e.ReplacedFor == from {
			e.ReplacedFor = to
		}
		deltas = append(deltas, l.Set(a, e))
	}
	return deltas
}
