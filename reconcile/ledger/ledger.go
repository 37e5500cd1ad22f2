// Package ledger remembers what hew manages: the identity of each object,
// whether hew created it, and a keyed digest of every value last applied. It
// holds no secret and no copy of the world; lose it and hew goes on.
package ledger

import (
	"context"

	"hew/reconcile/addr"
)

// Format is the version of the text form.
const Format = 1

// Digest is a salted or keyed digest of a canonical value, in text.
type Digest string

// Entry is what the ledger knows of one instance.
type Entry struct {
	Kind       string            `json:"kind"`
	Collection string            `json:"collection,omitempty"` // where the object was found, canonical
	Key        string            `json:"key,omitempty"`        // natural key, for people and for finding again
	ID         string            `json:"id,omitempty"`
	Created    bool              `json:"created,omitempty"`   // hew made it; else it was adopted
	Protected  bool              `json:"protected,omitempty"` // prevent_destroy, remembered when the block goes
	Pending    bool              `json:"pending,omitempty"`   // a create was sent, its answer not recorded yet
	Owned      map[string]Digest `json:"owned,omitempty"`     // by attribute
	Needs      []addr.Instance   `json:"needs,omitempty"`     // for the order of deletions
}

// Ledger is the whole of it.
type Ledger struct {
	Format         int
	Host           string // base URL of the API it belongs to
	Lineage        string // random, salts plain digests
	KeyFingerprint string
	Serial         uint64
	Entries        map[addr.Instance]Entry
}

// Delta is one change of the ledger: Entry set, or removed where it is nil.
type Delta struct {
	Addr  addr.Instance
	Entry *Entry
}

// Backend stores a ledger. Append and Compact refuse a stale serial.
type Backend interface {
	// Load returns the ledger, a new one where none is stored. A damaged one
	// is a named error; a torn last line is dropped and reported by Notes.
	Load(context.Context) (*Ledger, error)
	// Append makes the changes durable before it returns; concurrent callers
	// share one flush.
	Append(context.Context, ...Delta) error
	// Compact writes the ledger anew, without history.
	Compact(context.Context) error
	// Lock keeps other runs out. The error of a held lock names its holder.
	Lock(ctx context.Context, who string) (unlock func() error, err error)
	Notes() []string
}
