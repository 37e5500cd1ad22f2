package ledger

import (
	"errors"
	"slices"
	"sync"
)

// keeper is what backends have in common that store a ledger outside of this
// process. An Append puts its lines into the batch that collects while another is
// being written; whoever gets the disk next writes it for all who are in it, so
// that n callers cost about two flushes rather than n.
type keeper struct {
	mu   sync.Mutex
	next *batch // guarded by mu

	disk   sync.Mutex // held over all work on what is stored; guards the rest
	head   *Ledger    // without entries, as stored; nil before Load
	bound  bool       // the stored header is not head's any more
	broken error      // a flush failed: what is stored is not known
	key    *Key
	notes  []string
}

// batch is what one flush writes. Whoever flushes sets the rest, under disk.
type batch struct {
	lines   []line
	flushed bool
	err     error
}

// append has the changes flushed, with those of others who come meanwhile.
func (k *keeper) append(deltas []Delta, flush func([]line) error) error {
	if len(deltas) == 0 {
		return nil
	}
	b := k.join(deltas)
	k.disk.Lock()
	defer k.disk.Unlock()
	if !b.flushed {
		k.mu.Lock()
		k.next = nil // b, for batches are flushed in their order
		k.mu.Unlock()
		b.flushed, b.err = true, flush(b.lines)
	}
	return b.err
}

func (k *keeper) join(deltas []Delta) *batch {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.next == nil {
		k.next = &batch{}
	}
	for _, d := range deltas {
		k.next.lines = append(k.next.lines, line{Addr: d.Addr, Entry: d.Entry, Removed: d.Entry == nil})
	}
	return k.next
}

// loaded remembers the header of what was just read.
func (k *keeper) loaded(l *Ledger) {
	k.head = &Ledger{Format: l.Format, Host: l.Host, Lineage: l.Lineage, KeyFingerprint: l.KeyFingerprint, Serial: l.Serial}
	k.bound, k.broken = false, nil
}

// damaged remembers that what was read is no ledger: nothing is added to it, but
// another can be stored in its place. It returns the error.
func (k *keeper) damaged(err error) error {
	var damage *DamageError
	if errors.As(err, &damage) {
		k.head, k.broken = &Ledger{Serial: damage.serial}, err
	}
	return err
}

// ready refuses what could not be written well, and brings the header up to date
// with a key that was used for the first time.
func (k *keeper) ready() error {
	switch {
	case k.head == nil:
		return errors.New("ledger: written before Load")
	case k.broken != nil:
		return k.broken
	case k.key == nil || !k.key.used.Load():
		return nil
	case k.key.err != nil:
		return k.key.err
	}
	if p := k.key.fingerprint(); p != k.head.KeyFingerprint {
		k.head.KeyFingerprint, k.bound = p, true
	}
	return nil
}

// Bind is stored with the next flush.
func (k *keeper) Bind(host, keyFingerprint string) {
	k.disk.Lock()
	defer k.disk.Unlock()
	if k.head != nil {
		k.head.Host, k.head.KeyFingerprint, k.bound = host, keyFingerprint, true
	}
}

// Notes are what the last Load has found.
func (k *keeper) Notes() []string {
	k.disk.Lock()
	defer k.disk.Unlock()
	return slices.Clone(k.notes)
}
