// Package db is the server's way to Postgres: hand-written SQL, one struct a row, no ORM.
//
// A [Store] is bound to the pool or to a transaction, and its users cannot tell which. Functions of
// the domains take one as their handle: func Labels(h *db.Store, c db.Container, ...)
// db.Held[Label]. [Store.Tx] runs a function in a transaction and joins one that is open;
// [Store.Savepoint] is for those who go on after an error.
//
// # The SQL kit
//
//   - [One], [Value], [Many] and [List] read rows into structs by their db tags. List pages
//     and counts.
//   - [Store.Exec], [Store.Affected], [Store.Insert] and [Store.Update] write.
//   - [Where] collects conditions with named arguments; [Order] and [Page] are what a list
//     may be asked for.
//   - [Held] is a table of what groups and projects hold, with all five verbs.
//   - [Store.SendBatch] sends several statements in one round trip.
//   - [Store.Copy] and [Store.Each] write and read rows that are too large to be held at once.
//
// # Errors
//
// A missing row, a taken name and a missing reference come back as faults: a violated constraint is
// answered with its [Refusal]. Any other error names the statement and wraps the cause.
package db

import (
	"context"
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
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Store is the database as the rest of the server sees it. It is safe for concurrent use while
// bound to the pool, and like any transaction for one goroutine only while bound to one.
type Store struct {
	Seal *seal.Box // seals what is secret before it is written

	conn  DB
	after *[]func() // run after commit; nil outside a transaction
	again *[]Check  // run under the first lock; nil where nobody asked
	*shared
}

// shared is what a pool has in common with all its transactions.
type shared struct {
	notifier notifier
	refusals Refusals
	memo     sync.Map // what Remembered made and Attach keeps, by key
}

// Config says how to open a database.
type Config struct {
	URL      string    // as Postgres writes it: postgres://user@host/name
	Box      *seal.Box // nil where nothing secret is read or written
	Refusals Refusals  // of the domains; those of the tables that no domain has are known here
}

// Open connects to the database and checks that it answers. The caller closes the pool.
func Open(ctx context.Context, c Config) (*Store, *pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, nil, fmt.Errorf("read the database URL: %w", err)
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "hewd"
	}
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	// By itself Postgres plans the longer statements anew for all arguments, for ten times as long
	// as they run. Lists that need plans of their own say so (Where.Custom).
	if config.ConnConfig.RuntimeParams["plan_cache_mode"] == "" {
		config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	}
	if !strings.Contains(c.URL, "pool_max_conns") { // the operator knows better
		config.MaxConns = 16
	}
	config.MaxConnIdleTime = 5 * time.Minute
	config.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		c.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		c.TypeMap().RegisterTypes(narrowTypes)
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
	return Over(pool, c), pool, nil
}

// Over returns a store that is bound to conn, which stays the caller's.
func Over(conn DB, c Config) *Store {
	return &Store{Seal: c.Box, conn: conn, shared: &shared{refusals: c.Refusals}}
}

// Remembered returns what make returned when it was first called for a key, by the pool or any of
// its transactions.
func (s *Store) Remembered(key any, make func() any) any {
	if v, ok := s.memo.Load(key); ok {
		return v
	}
	v, _ := s.memo.LoadOrStore(key, make())
	return v
}

// DB returns the pool or transaction behind the store, for what speaks to Postgres itself: the job
// queue, the migrations.
func (s *Store) DB() DB { return s.conn }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.Exec(ctx, `select 1`, nil) }

// Attach keeps a value, such as the job queue, for all who have the pool or one of its
// transactions. The key is of an unexported type of the package that attaches.
func (s *Store) Attach(key, value any) { s.memo.Store(key, value) }

// Attached returns the value that Attach was called with, nil if there is none.
func (s *Store) Attached(key any) any {
	v, _ := s.memo.Load(key)
	return v
}

type storeKey struct{}

// With returns a context that carries the store of one request: the pool, or a transaction.
func With(ctx context.Context, s *Store) context.Context {
	return context.WithValue(ctx, storeKey{}, s)
}

// From returns the store that With put into the context. It panics where there is none, which is a
// programming error.
func From(ctx context.Context) *Store { return ctx.Value(storeKey{}).(*Store) }
