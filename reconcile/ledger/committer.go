package ledger

import (
	"errors"
	"slices"
	"sync"
)

// committer is the part that fileBackend and remoteBackend share: group commit, and the header that
// is to be stored. An Append adds its lines to the batch that collects while the previous one is
// being written. Whichever caller gets storeMu next writes it for all of them, so that n callers
// cost about two flushes instead of n.
type committer struct {
	batchMu sync.Mutex
	next    *batch // guarded by batchMu

	storeMu     sync.Mutex // held while the store is read or written; guards the fields below
	header      *Header    // nil before Load
	headerDirty bool       // header differs from the stored one
	writeErr    error      // of a flush after which the stored content is unknown
	key         *Key
	notes       []string
}

// batch is what one flush writes. flushed and err are guarded by storeMu.
type batch struct {
	lines   []line
	flushed bool
	err     error
}

// commit has deltas flushed, together with those of concurrent callers.
func (c *committer) commit(deltas []Delta, flush func([]line) error) error {
	if len(deltas) == 0 {
		return nil
	}
	b := c.addToBatch(deltas)
	c.storeMu.Lock()
	defer c.storeMu.Unlock()
	if !b.flushed {
		c.batchMu.Lock()
		c.next = nil // was b, because batches are flushed in order
		c.batchMu.Unlock()
		b.flushed, b.err = true, flush(b.lines)
	}
	return b.err
}

func (c *committer) addToBatch(deltas []Delta) *batch {
	c.batchMu.Lock()
	defer c.batchMu.Unlock()
	if c.next == nil {
		c.next = &batch{}
	}
	for _, d := range deltas {
		c.next.lines = append(c.next.lines, line{Addr: d.Addr, Entry: d.Entry, Removed: d.Entry == nil})
	}
	return c.next
}

// recordLoaded takes over the header of the ledger that is stored now.
func (c *committer) recordLoaded(h Header) {
	c.header, c.headerDirty, c.writeErr = &h, false, nil
}

// recordDamage makes Append and Compact fail if err is a *DamageError; replace still works. It
// returns err.
func (c *committer) recordDamage(err error) error {
	var damage *DamageError
	if errors.As(err, &damage) {
		c.header, c.writeErr = &Header{Serial: damage.serial}, err
	}
	return err
}

// checkWritable returns the error that forbids a write, if any. It also updates the header with the
// fingerprint of a key that has come into use.
func (c *committer) checkWritable() error {
	switch {
	case c.header == nil:
		return errors.New("ledger: written before Load")
	case c.writeErr != nil:
		return c.writeErr
	case c.key == nil || !c.key.used.Load():
		return nil
	case c.key.saveErr != nil:
		return c.key.saveErr
	}
	if p := c.key.fingerprint(); p != c.header.KeyFingerprint {
		c.header.KeyFingerprint, c.headerDirty = p, true
	}
	return nil
}

func (c *committer) Bind(host, keyFingerprint string) {
	c.storeMu.Lock()
	defer c.storeMu.Unlock()
	if c.header != nil {
		c.header.Host, c.header.KeyFingerprint, c.headerDirty = host, keyFingerprint, true
	}
}

func (c *committer) Notes() []string {
	c.storeMu.Lock()
	defer c.storeMu.Unlock()
	return slices.Clone(c.notes)
}
