package ledger

import (
	"context"
	"errors"
	"fmt"
)

// Encode returns a whole ledger as text, in the form of a ledger file.
func Encode(l *Ledger) ([]byte, error) { return l.encode() }

// Decode reads a ledger file, or what Encode returned. Errors name it by where.
func Decode(where string, text []byte) (*Ledger, error) {
	l, whole, err := parse(where, text)
	what := ""
	var damage *DamageError
	switch {
	case errors.As(err, &damage):
		what = fmt.Sprintf("line %d: %s", damage.Line, damage.What)
	case err != nil:
		return nil, err
	case l == nil || whole < len(text):
		what = "it is empty or ends in the middle of a line"
	default:
		return l, nil
	}
	return nil, fmt.Errorf("%s is not a complete ledger (%s). Name a file written by hew ledger pull", where, what)
}

// replacer is a backend that can store a whole ledger in place of the stored one.
type replacer interface {
	replace(context.Context, *Ledger) error
}

// forceUnlocker is a backend whose lock another process can release.
type forceUnlocker interface {
	forceUnlock(ctx context.Context, id string) error
}

// ForceUnlock releases the lock with that ID, which another run holds. If that run is still
// working, its next write to the ledger fails. It fails for a ledger file, whose lock only its
// holder can release.
func ForceUnlock(ctx context.Context, b Backend, id string) error {
	f, ok := unwrap(b).(forceUnlocker)
	if !ok {
		return errors.New("the lock of this ledger is released only when the process that holds it ends. Stop that " +
			"process")
	}
	return f.forceUnlock(ctx, id)
}

// Push stores l in place of the stored ledger. Unless force is set, the stored ledger must have the
// same lineage and host, and no higher serial. With force it also replaces a damaged ledger, whose
// damage it then returns. It holds the ledger's lock meanwhile.
func Push(ctx context.Context, b Backend, who string, l *Ledger, force bool) (over *DamageError, err error) {
	unlock, err := b.Lock(ctx, who)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	old, err := b.Load(ctx)
	switch {
	case errors.As(err, &over) && force:
		old = &Ledger{Header: Header{Serial: over.serial}}
	case over != nil:
		return nil, fmt.Errorf("%w. To store the given ledger in its place, add -force", err)
	case err != nil:
		return nil, err
	}
	next := &Ledger{Header: l.Header, Entries: l.Entries}
	next.Serial = max(l.Serial, 1)
	if old.Serial > 0 || len(old.Entries) > 0 {
		if err := checkSuccessor(old, l); err != nil && !force {
			return nil, err
		}
		next.Serial = max(l.Serial, old.Serial+1)
	}
	return over, unwrap(b).(replacer).replace(ctx, next)
}

// checkSuccessor returns why l should not replace old, if there is a reason.
func checkSuccessor(old, l *Ledger) error {
	var problems []error
	report := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if old.Lineage != l.Lineage {
		report("it is a different ledger (lineage %s) from the stored one (lineage %s), whose entries would be lost",
			l.Lineage, old.Lineage)
	} else if l.Serial < old.Serial {
		report("its serial %d is lower than the stored serial %d, so later changes would be lost", l.Serial, old.Serial)
	}
	if old.Host != l.Host && old.Host != "" {
		report("it belongs to %s, but the stored ledger belongs to %s", l.Host, old.Host)
	}
	if problems == nil {
		return nil
	}
	return fmt.Errorf("the given ledger cannot replace the stored one:\n%w\nTo replace it anyway, add -force",
		errors.Join(problems...))
}
