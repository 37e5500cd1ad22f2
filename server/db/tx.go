package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// InTx reports whether the store is bound to a transaction.
func (s *Store) InTx() bool { return s.after != nil }

// Begin opens a transaction; on a store that is bound to one, a savepoint. Finish must be called
// exactly once: with nil it commits, with an error it rolls back and returns that error.
func (s *Store) Begin(ctx context.Context) (tx *Store, finish func(error) error, err error) {
	dbtx, err := s.conn.Begin(ctx)
	if err != nil {
		return nil, nil, s.refused(fmt.Errorf("begin: %w", err))
	}
	var after []func()
	tx = &Store{Seal: s.Seal, conn: dbtx, after: &after, again: s.again, shared: s.shared}
	return tx, func(err error) error {
		if err != nil {
			// The caller's context may be the reason for the rollback, and must not keep it from
			// happening.
			rollback := dbtx.Rollback(context.WithoutCancel(ctx))
			if rollback != nil && !errors.Is(rollback, pgx.ErrTxClosed) {
				err = errors.Join(err, fmt.Errorf("roll back: %w", rollback))
			}
			if fault.CodeOf(err) == fault.CodeInternal && unreachable(rollback) { // what the job queue met, too
				return fault.Unavailable().Because(err)
			}
			return err
		}
		if err := dbtx.Commit(ctx); err != nil {
			return s.refused(fmt.Errorf("commit: %w", err))
		}
		for _, do := range after {
			s.AfterCommit(do) // still inside a transaction if this was a savepoint
		}
		return nil
	}, nil
}

// Tx runs do in a transaction, which is committed if do returns nil and rolled back if it fails or
// panics. On a store that is bound to a transaction, do joins that one. An error must then fail
// the whole transaction; callers that want to go on use Savepoint.
func (s *Store) Tx(ctx context.Context, do func(*Store) error) error {
	if s.InTx() {
		return do(s)
	}
	return s.Savepoint(ctx, do)
}

// Savepoint runs do in a part of the open transaction that is undone alone if do fails, so that the
// caller may go on after the error. Outside a transaction it is Tx.
func (s *Store) Savepoint(ctx context.Context, do func(*Store) error) (err error) {
	tx, finish, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_ = finish(errors.New("panic"))
		}
	}()
	err = do(tx)
	done = true
	return finish(err)
}

// Lend returns a store for one request, which Enter can bind to a transaction for all who have it
// by then.
func (s *Store) Lend() *Store {
	lent := *s
	lent.again = new([]Check)
	return &lent
}

// Enter opens a transaction and binds the store itself to it: guards have read with it on the pool,
// and what they have made of it writes in the transaction. Finish is that of Begin; the store must
// not be used after it.
func (s *Store) Enter(ctx context.Context) (finish func(error) error, err error) {
	pool := *s
	tx, finish, err := pool.Begin(ctx)
	if err == nil {
		*s = *tx
	}
	return finish, err
}

// Check is what must still hold when an act has taken its lock.
type Check func(ctx context.Context, tx *Store) error

// OnLock has a check run once under the first lock that is taken with the store, or with a
// transaction of it. It is for a lent store; others have no guard whose answer may be old.
func (s *Store) OnLock(check Check) {
	if s.again != nil {
		*s.again = append(*s.again, check)
	}
}

// Locked runs the checks of OnLock. Code that locks rows, to change or to keep them, must call it
// right afterwards.
func (s *Store) Locked(ctx context.Context) error {
	if s.again == nil {
		return nil
	}
	checks := *s.again
	*s.again = nil
	for _, check := range checks {
		if err := check(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Exclusively makes transactions that name the same thing wait for each other; the lock ends with
// the transaction.
func (s *Store) Exclusively(ctx context.Context, thing string) error {
	return s.Exec(ctx, `select pg_advisory_xact_lock(hashtext(@thing))`, pgx.NamedArgs{"thing": thing})
}

// AfterCommit runs do once what was written is there for everybody: now, or after the commit of the
// open transaction. A rollback forgets it.
func (s *Store) AfterCommit(do func()) {
	if s.after == nil {
		do()
		return
	}
	*s.after = append(*s.after, do)
}
