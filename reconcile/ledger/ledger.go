// Package ledger remembers what hew manages: the identity of each object,
// whether hew created it, and a keyed digest of every value last applied. It
// holds no secret and no copy of the world; lose it and hew goes on.
package ledger

import (
	"context"
	"sync"

	"hew/reconcile/addr"
)

// Format is the version of the text form.
const Format = 1

// Entry is what the ledger knows of one instance.
type Entry struct {
	Kind       string            `json:"kind"`
	Collection string            `json:"collection,omitempty"` // where the object was found, canonical
	Key        string            `json:"key,omitempty"`        // natural key, for people and for finding again
	ID         string            `json:"id,omitempty"`
	Created    bool              `json:"created,omitempty"`   // hew made it; else it was adopted
	Protected  bool              `json:"protected,omitempty"` // prevent_destroy, remembered when the block goes
	Pending    bool              `json:"pending,omitempty"`   // a create was sent, its answer not recorded yet, or lost with what is shown once
	Owned      map[string]Digest `json:"owned,omitempty"`     // by attribute
	Needs      []addr.Instance   `json:"needs,omitempty"`     // for the order of deletions
	Due        addr.Instance     `json:"due,omitzero"`        // what has changed, or was about to, for which this is to be made anew
}

// Ledger is the whole of it. Change Entries through Set, Remove and Move only,
// and from one goroutine; reading is free.
type Ledger struct {
	Format         int
	Host           string // base URL of the API it belongs to; "" until Open binds a new one
	Lineage        string // random, salts plain digests
	KeyFingerprint string // of the key of its secret digests, "" while it has none
	Serial         uint64 // grows with every line ever written
	Entries        map[addr.Instance]Entry

	indexed sync.Once
	live    map[identity]addr.Instance
}

// Delta is one change of the ledger: Entry set, or removed where it is nil.
type Delta struct {
	Addr  addr.Instance
	Entry *Entry
}

// Backend stores a ledger. Append and Compact refuse a stale one, with a
// *StaleError, and lose nothing when they fail. All methods may be called from
// several goroutines.
type Backend interface {
	// Load returns the ledger, a new one where none is stored. A damaged one is
	// a *DamageError; a torn last line is dropped and reported by Notes.
	Load(context.Context) (*Ledger, error)
	// Bind names the host, and the fingerprint of the key, that the ledger has
	// from now on; they are stored by the next Append, or Compact where a ledger
	// is stored already. Open and Rebind call it.
	Bind(host, keyFingerprint string)
	// Append makes the changes durable before it returns; concurrent callers
	// share one flush. It does not heed the end of its context: what was done
	// to the host must be recorded.
	Append(context.Context, ...Delta) error
	// Compact writes the ledger anew, without history.
	Compact(context.Context) error
	// Lock keeps other runs out. A lock that is held fails at once with a
	// *LockedError, or, where ctx has a deadline, after waiting until then.
	Lock(ctx context.Context, who string) (unlock func() error, err error)
	// Key is the digest key; a new one is stored when it is first used.
	Key() (*Key, error)
	// Notes are what a person should know of the last Load, in sentences.
	Notes() []string
}
