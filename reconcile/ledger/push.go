package ledger

import (
	"context"
	"errors"
	"fmt"
)

// Encode is a whole ledger as text: what the file backend keeps.
func Encode(l *Ledger) ([]byte, error) { return l.print() }

// Decode reads what Encode wrote, or a file of the file backend. Where is its name
// for errors.
func Decode(where string, text []byte) (*Ledger, error) {
	l, whole, err := parse(where, text)
	switch {
	case err != nil:
		return nil, err
	case l == nil || whole < len(text):
		return nil, &DamageError{Where: where, What: "it ends in the middle of a line, or is empty"}
	}
	return l, nil
}

// replacer is a backend that can store a whole ledger in place of the one it has.
type replacer interface {
	replace(context.Context, *Ledger) error
}

// freer is a backend whose lock others can free.
type freer interface {
	free(ctx context.Context, id string) error
}

// unwrapped is a backend without what was put around it.
func unwrapped(b Backend) Backend {
	for {
		p, ok := b.(patient)
		if !ok {
			return b
		}
		b = p.Backend
	}
}

// Free takes the lock with that ID away from whoever holds it. Whoever that is may
// still be at work: what he writes is refused then. There are backends whose lock
// ends with its holder and in no other way.
func Free(ctx context.Context, b Backend, id string) error {
	f, ok := unwrapped(b).(freer)
	if !ok {
		return errors.New("the lock of this ledger ends with the process that holds it, and in no other way: end that process")
	}
	return f.free(ctx, id)
}

// Push stores l in place of what the backend has, which must be the same ledger and
// no newer one, and of the same host, unless it is forced; over a damaged one, too,
// which it then returns. It takes the ledger's lock meanwhile.
func Push(ctx context.Context, b Backend, who string, l *Ledger, force bool) (over *DamageError, err error) {
	unlock, err := b.Lock(ctx, who)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	old, err := b.Load(ctx)
	switch {
	case errors.As(err, &over) && force:
		old = &Ledger{Serial: over.serial}
	case over != nil:
		return nil, fmt.Errorf("%w. What was to be stored takes its place with -force", err)
	case err != nil:
		return nil, err
	}
	next := &Ledger{Format: l.Format, Host: l.Host, Lineage: l.Lineage, KeyFingerprint: l.KeyFingerprint, Serial: max(l.Serial, 1), Entries: l.Entries}
	if old.Serial > 0 || len(old.Entries) > 0 {
		if err := succeeds(old, l); err != nil && !force {
			return nil, err
		}
		next.Serial = max(l.Serial, old.Serial+1)
	}
	return over, unwrapped(b).(replacer).replace(ctx, next)
}

// succeeds tells why a ledger should not take the place of another.
func succeeds(old, l *Ledger) error {
	var problems []error
	if old.Lineage != l.Lineage {
		problems = append(problems, fmt.Errorf("it is another ledger (lineage %s) than the one that is stored (%s), whose objects would be forgotten", l.Lineage, old.Lineage))
	} else if l.Serial < old.Serial {
		problems = append(problems, fmt.Errorf("its serial %d is lower than that of the one that is stored, %d: what was done since would be forgotten", l.Serial, old.Serial))
	}
	if old.Host != l.Host && old.Host != "" {
		problems = append(problems, fmt.Errorf("it belongs to %s, and the one that is stored to %s", l.Host, old.Host))
	}
	if problems == nil {
		return nil
	}
	return fmt.Errorf("nothing was stored, for -force was not given:\n%w", errors.Join(problems...))
}
