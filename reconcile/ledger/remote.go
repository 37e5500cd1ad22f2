package ledger

import (
	"context"
	"errors"
	"fmt"
)

// remote is a backend whose ledger is kept elsewhere. A flush has a serial of its
// own there, whatever it changes, so that of two that were made from the same
// ledger one comes too late.
type remote struct {
	keeper
	place
	where   string // for people: nothing in it is secret
	keyText string
}

// place is where a remote ledger is kept. Its methods are called by one goroutine
// at a time, but for lock and free.
type place interface {
	// load returns what is stored, nil where that is nothing, and what a person
	// should know of it.
	load(context.Context) (*Ledger, []string, error)
	// save stores the header, whose serial is above that of what was loaded, and
	// the lines; or, where whole, these in place of all entries. It is a
	// *StaleError where something else is stored by now, and uncertain where
	// nobody can tell what is.
	save(ctx context.Context, was uint64, head line, lines []line, whole bool) error
	// lock tries once.
	lock(ctx context.Context, who string) (unlock func() error, err error)
	// free takes the lock with that ID away from whoever holds it.
	free(ctx context.Context, id string) error
	// spot compares equal with that of the same place.
	spot() any
}

// uncertain is a failure after which what is stored is not known.
type uncertain struct{ error }

func (u uncertain) Unwrap() error { return u.error }

func (r *remote) Load(ctx context.Context) (*Ledger, error) {
	r.disk.Lock()
	defer r.disk.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, notes, err := r.load(ctx)
	if err != nil {
		return nil, r.damaged(err)
	}
	if l == nil {
		l = newLedger()
	}
	r.notes = notes
	r.loaded(l)
	return l, nil
}

func (r *remote) Append(ctx context.Context, deltas ...Delta) error {
	ctx = context.WithoutCancel(ctx)
	return r.append(deltas, func(lines []line) error { return r.flush(ctx, lines) })
}

// Compact has nothing to do but for a header that is not stored yet: no history
// is kept.
func (r *remote) Compact(ctx context.Context) error {
	r.disk.Lock()
	defer r.disk.Unlock()
	if err := r.ready(); err != nil || r.head.Serial == 0 || !r.bound {
		return err
	}
	return r.flush(ctx, nil)
}

func (r *remote) flush(ctx context.Context, lines []line) error {
	if err := r.ready(); err != nil {
		return err
	}
	head := r.head.header()
	head.Serial++
	return r.store(ctx, head, lines, false)
}

// store saves, and remembers what is stored then.
func (r *remote) store(ctx context.Context, head line, lines []line, whole bool) error {
	err := r.save(ctx, r.head.Serial, head, lines, whole)
	if err == nil {
		r.head = &Ledger{Format: head.Format, Host: head.Host, Lineage: head.Lineage, KeyFingerprint: head.KeyFingerprint, Serial: head.Serial}
		r.bound, r.broken = false, nil
		return nil
	}
	var stale *StaleError
	if errors.As(err, &stale) {
		return err
	}
	err = fmt.Errorf("cannot write the ledger, so the last changes are on the host but not in it: %w; "+
		"put that right and run again, they are found by their keys", err)
	if errors.As(err, new(uncertain)) {
		r.broken = err
	}
	return err
}

func (r *remote) replace(ctx context.Context, l *Ledger) error {
	r.disk.Lock()
	defer r.disk.Unlock()
	if r.head == nil {
		return r.ready()
	}
	var lines []line
	for _, a := range l.Sorted() {
		e := l.Entries[a]
		lines = append(lines, line{Addr: a, Entry: &e})
	}
	return r.store(ctx, l.header(), lines, true)
}

func (r *remote) Lock(ctx context.Context, who string) (func() error, error) {
	// The end of the wait does not cut off a try, which may have got the lock.
	whole, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})()
	return await(ctx, func() (func() error, error) { return r.lock(whole, who) })
}

// Key is the one that is given. There is no directory here that a new one could
// be kept in, and a key that nobody has again makes digests that nobody can use;
// so it is asked for at once, and not when the first secret is met amid an apply.
func (r *remote) Key() (*Key, error) {
	r.disk.Lock()
	defer r.disk.Unlock()
	if r.key != nil {
		return r.key, nil
	}
	if r.keyText == "" {
		return nil, fmt.Errorf("the ledger %s takes a digest key, which tells whether secrets have changed without storing them, and %s is not set: "+
			"make one (openssl rand -base64 32), keep it where secrets are kept, and set %s to it wherever hew works with this ledger",
			r.where, KeyVariable, KeyVariable)
	}
	var err error
	r.key, err = NewKey(r.keyText)
	return r.key, err
}
