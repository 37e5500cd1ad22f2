// Package store keeps everything in Postgres: hand-written SQL, one file an area, one struct a row.
//
// A Store is bound to the pool or to a transaction, and no method can tell which. A missing row, a taken name and a
// missing reference come back as faults; whatever else goes wrong is an error that wraps the operation.
package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/seal"
)

// DB is what a pool and a transaction have in common.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Store is the database as the rest of the server sees it. It is safe for concurrent use while bound to the pool, and
// like any transaction for one goroutine only while bound to one.
type Store struct {
	Db    DB
	Seal  *seal.Box
	Bells *Bells
	after *[]func() // run after commit; nil outside a transaction
	Memo  *sync.Map // what Remembered made, by its key
}

// Open connects to the database and checks that it answers. The box seals secrets; see package seal.
func Open(ctx context.Context, url string, box *seal.Box) (*Store, *pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, nil, fmt.Errorf("read the database URL: %w", err)
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "hewd"
	}
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	if !strings.Contains(url, "pool_max_conns") { // the operator knows better
		config.MaxConns = 16
	}
	config.MaxConnIdleTime = 5 * time.Minute
	config.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		c.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, fmt.Errorf("open the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, nil, fmt.Errorf("reach the database: %w", err)
	}
	return &Store{Db: pool, Seal: box, Bells: &Bells{}, Memo: &sync.Map{}}, pool, nil
}

// InTx reports whether the store is bound to a transaction.
func (s *Store) InTx() bool { return s.after != nil }

// Remembered returns what make returned when it was first called for a key, by the pool or any of its transactions.
func (s *Store) Remembered(key any, make func() any) any {
	if v, ok := s.Memo.Load(key); ok {
		return v
	}
	v, _ := s.Memo.LoadOrStore(key, make())
	return v
}

// DB is the pool or transaction behind the store, for what speaks to Postgres itself: the job queue, the migrations.
func (s *Store) DB() DB { return s.Db }

// Ping asks the database for a sign of life.
func (s *Store) Ping(ctx context.Context) error { return s.Exec(ctx, `select 1`, nil) }

// Begin opens a transaction (inside one: a savepoint). Finish must be called exactly once: with nil it commits, with an
// error it rolls back and returns that error.
func (s *Store) Begin(ctx context.Context) (tx *Store, finish func(error) error, err error) {
	dbtx, err := s.Db.Begin(ctx)
	if err != nil {
		return nil, nil, refused(fmt.Errorf("begin: %w", err))
	}
	var after []func()
	tx = &Store{Db: dbtx, Seal: s.Seal, Bells: s.Bells, after: &after, Memo: s.Memo}
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
			return refused(fmt.Errorf("commit: %w", err))
		}
		for _, do := range after {
			s.AfterCommit(do) // still inside a transaction if this was a savepoint
		}
		return nil
	}, nil
}

// Tx runs do in a transaction, which is committed if do returns nil and rolled back if it fails or panics.
func (s *Store) Tx(ctx context.Context, do func(*Store) error) (err error) {
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

type storeKey struct{}

// With puts the store, usually a transaction, into the context of one request.
func With(ctx context.Context, s *Store) context.Context {
	return context.WithValue(ctx, storeKey{}, s)
}

// From takes it out again. It panics where there is none: a programming error, found by the first request.
func From(ctx context.Context) *Store { return ctx.Value(storeKey{}).(*Store) }
