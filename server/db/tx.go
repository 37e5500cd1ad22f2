package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// InTx reports whether the store is bound to a transaction.
func (s *Store) InTx() bool { return s.after != nil }

// Begin opens a transaction; on a store that is bound to one, a savepoint. Finish must be called exactly once: with nil
// it commits, with an error it rolls back and returns that error.
func (s *Store) Begin(ctx context.Context) (tx *Store, finish func(error) error, err error) {
	dbtx, err := s.conn.Begin(ctx)
	if err != nil {
		return nil, nil, s.refused(fmt.Errorf("begin: %w", err))
	}
	var after []func()
	tx = &Store{Seal: s.Seal, conn: dbtx, after: &after, shared: s.shared}
	return tx, func(err error) error {
		if err != nil {
			// The caller's context may be the reason for the rollback, and must not keep it from happening.
			rollback := dbtx.Rollback(context.WithoutCancel(ctx))
			if rollback != nil && !errors.Is(rollback, pgx.ErrTxClosed) {
				return errors.Join(err, fmt.Errorf("roll back: %w", rollback))
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

// Tx runs do in a transaction, which is committed if do returns nil and rolled back if it fails or panics. On a store that
// is bound to a transaction do joins that one: whoever gets an error must then let the whole transaction fail, and uses
// Savepoint to go on instead.
func (s *Store) Tx(ctx context.Context, do func(*Store) error) error {
	if s.InTx() {
		return do(s)
	}
	return s.Savepoint(ctx, do)
}

// Savepoint runs do in a part of the open transaction that is undone alone if do fails, so that the caller may go on
// after the error. Outside a transaction it is Tx.
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

// Exclusively makes transactions that name the same thing wait for each other; the lock ends with the transaction.
func (s *Store) Exclusively(ctx context.Context, thing string) error {
	return s.Exec(ctx, `select pg_advisory_xact_lock(hashtext(@thing))`, pgx.NamedArgs{"thing": thing})
}

// AfterCommit runs do once what was written is there for everybody: now, or after the commit of the open transaction.
// A rollback forgets it.
func (s *Store) AfterCommit(do func()) {
	if s.after == nil {
		do()
		return
	}
	*s.after = append(*s.after, do)
}
