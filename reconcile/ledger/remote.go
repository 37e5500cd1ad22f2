package ledger

import (
	"context"
	"errors"
	"fmt"
)

// remoteBackend is a Backend over a store elsewhere. Every flush stores a new serial, whatever it
// changes, so that of two runs that loaded the same ledger the later writer is refused.
type remoteBackend struct {
	committer
	store
	where   string // shown to people, holds no secret
	keyText string
}

// store is where a remote ledger is kept. Its methods are called by one goroutine at a time, except
// lock and forceUnlock.
type store interface {
	// load returns the stored ledger, nil if nothing is stored, and notes for people.
	load(context.Context) (*Ledger, []string, error)
	// save stores the header and applies the lines; if whole, to no entries at all. was is the
	// serial that was loaded. It fails with a *StaleError if another serial is stored by now, and
	// with an unknownOutcome if it cannot tell what is stored.
	save(ctx context.Context, was uint64, head Header, lines []line, whole bool) error
	// lock tries once.
	lock(ctx context.Context, who string) (unlock func() error, err error)
	// forceUnlock releases the lock with that ID, which another process holds.
	forceUnlock(ctx context.Context, id string) error
	// location returns a comparable value, equal for stores of the same ledger.
	location() any
}

// unknownOutcome is a failed write that may have been carried out nevertheless.
type unknownOutcome struct{ error }

func (u unknownOutcome) Unwrap() error { return u.error }

func (r *remoteBackend) Load(ctx context.Context) (*Ledger, error) {
	r.storeMu.Lock()
	defer r.storeMu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, notes, err := r.load(ctx)
	if err != nil {
		return nil, r.recordDamage(err)
	}
	if l == nil {
		l = newLedger()
	}
	r.notes = notes
	r.recordLoaded(l.Header)
	return l, nil
}

func (r *remoteBackend) Append(ctx context.Context, deltas ...Delta) error {
	ctx = context.WithoutCancel(ctx)
	return r.commit(deltas, func(lines []line) error { return r.flush(ctx, lines) })
}

// Compact stores a changed header. There is no history to remove.
func (r *remoteBackend) Compact(ctx context.Context) error {
	r.storeMu.Lock()
	defer r.storeMu.Unlock()
	if err := r.checkWritable(); err != nil || r.header.Serial == 0 || !r.headerDirty {
		return err
	}
	return r.flush(ctx, nil)
}

func (r *remoteBackend) flush(ctx context.Context, lines []line) error {
	if err := r.checkWritable(); err != nil {
		return err
	}
	head := *r.header
	head.Serial++
	return r.write(ctx, head, lines, false)
}

// write saves, and records what is stored then.
func (r *remoteBackend) write(ctx context.Context, head Header, lines []line, whole bool) error {
	err := r.save(ctx, r.header.Serial, head, lines, whole)
	if err == nil {
		r.recordLoaded(head)
		return nil
	}
	var stale *StaleError
	if errors.As(err, &stale) {
		return err
	}
	err = unrecordedError(err)
	if errors.As(err, new(unknownOutcome)) {
		r.writeErr = err
	}
	return err
}

func (r *remoteBackend) replace(ctx context.Context, l *Ledger) error {
	r.storeMu.Lock()
	defer r.storeMu.Unlock()
	if r.header == nil {
		return r.checkWritable()
	}
	var lines []line
	for _, a := range l.Sorted() {
		e := l.Entries[a]
		lines = append(lines, line{Addr: a, Entry: &e})
	}
	return r.write(ctx, l.Header, lines, true)
}

func (r *remoteBackend) Lock(ctx context.Context, who string) (func() error, error) {
	// The deadline must not cut off an attempt, which may have got the lock. Cancelling does.
	attempt, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})()
	return waitForLock(ctx, func() (func() error, error) { return r.lock(attempt, who) })
}

// Key returns the key that is set. A remote ledger has no directory for a new key, and digests of a
// key that is lost with the run are useless. So a missing key is an error at once, rather than amid
// an apply when the first secret comes up.
func (r *remoteBackend) Key() (*Key, error) {
	r.storeMu.Lock()
	defer r.storeMu.Unlock()
	if r.key != nil {
		return r.key, nil
	}
	if r.keyText == "" {
		return nil, fmt.Errorf("the ledger %s needs a digest key, with which hew detects changed secrets without "+
			"storing them, and %s is not set. Make a key (openssl rand -base64 32), keep it with your other "+
			"secrets, and set %s to it wherever hew uses this ledger", r.where, KeyVariable, KeyVariable)
	}
	var err error
	r.key, err = NewKey(r.keyText)
	return r.key, err
}
