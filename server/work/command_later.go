package work

import (
	"context"
	"errors"

	"hew/server/db"
	"hew/server/fault"
)

// Afterwards adds what is to be done when the thing is stored. A refusal of it is no error: it
// changes nothing.
func (r *CommandRun[T]) Afterwards(do func(ctx context.Context, st *db.Store, t T) error) {
	r.later = append(r.later, unlessRefused(do))
}

// unlessRefused returns a function that does what do does, or nothing if that is refused.
func unlessRefused[T any](
	do func(ctx context.Context, st *db.Store, t T) error,
) func(ctx context.Context, st *db.Store, t T) error {
	return func(ctx context.Context, st *db.Store, t T) error {
		err := st.Savepoint(ctx, func(st *db.Store) error { return do(ctx, st, t) })
		if fault.CodeOf(err) == fault.CodeInternal || fault.CodeOf(err) == fault.CodeUnavailable {
			return err
		}
		return nil
	}
}

// Later is Afterwards for a command that says what became of it then: what do returns, or that it
// could not be applied if do is refused.
func (r *CommandRun[T]) Later(do func(ctx context.Context, st *db.Store, t T) (string, error)) {
	r.later = append(r.later, r.saying(do))
}

// Last is Later, after what all other commands leave.
func (r *CommandRun[T]) Last(do func(ctx context.Context, st *db.Store, t T) (string, error)) {
	r.last = append(r.last, r.saying(do))
}

// saying returns a function that does something for the call that is run, and keeps what it says.
func (r *CommandRun[T]) saying(
	do func(ctx context.Context, st *db.Store, t T) (string, error),
) func(ctx context.Context, st *db.Store, t T) error {
	n := r.now
	r.said[n].open = true
	return unlessRefused(func(ctx context.Context, st *db.Store, t T) error {
		said, err := do(ctx, st, t)
		if err != nil {
			said = ""
		}
		r.say(n, said)
		if why, failed := errors.AsType[FailedCommand](err); failed {
			r.said[n].text = string(why)
			return fault.BadRequest(string(why))
		}
		return err
	})
}
