package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"hew/reconcile/addr"
)

// PostgresConfig describes a ledger in a Postgres database.
type PostgresConfig struct {
	URL    string // "": the environment variables of libpq
	Name   string // of the ledger, as a database may hold several; "": default
	Schema string // of its tables; "": hew
	Key    string // text of the digest key
}

// Postgres returns a backend that keeps a ledger in a database, one row for each entry. The first
// run that locks or writes creates the tables. It fails if the URL is not valid, with an error that
// does not repeat it.
func Postgres(c PostgresConfig) (Backend, error) {
	config, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return nil, errors.New("url must be the URL of a PostgreSQL database, such as postgres://user@host:5432/name")
	}
	s := &postgresStore{config: config, name: cmp.Or(c.Name, "default"), schema: cmp.Or(c.Schema, "hew")}
	s.where = fmt.Sprintf("%s in %s/%s", s.name, config.Host, config.Database)
	return &remoteBackend{store: s, where: s.where, keyText: c.Key}, nil
}

// DatabaseHosts returns the hosts that a connection string names, without ports, and none if it is
// not valid. A connection string without a host names that of the environment.
func DatabaseHosts(url string) (hosts []string) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return nil
	}
	hosts = []string{c.Host}
	for _, f := range c.Fallbacks {
		if !slices.Contains(hosts, f.Host) {
			hosts = append(hosts, f.Host)
		}
	}
	return hosts
}

// postgresStore is the store of a ledger in Postgres. A run that holds the lock does everything on
// the connection that has it, so that it cannot write after it has lost the lock.
type postgresStore struct {
	config       *pgx.ConnConfig
	name, schema string
	where        string

	mu       sync.Mutex // guards lockConn, and is held while it is used
	lockConn *pgx.Conn  // the connection that holds the lock; nil: the lock is not held
}

// withSchema replaces the schema hew in a statement by the one of the configuration.
func (s *postgresStore) withSchema(text string) string {
	return strings.ReplaceAll(text, "hew.", pgx.Identifier{s.schema}.Sanitize()+".")
}

// Error codes of Postgres for a ledger whose tables do not exist yet.
const (
	undefinedTable = "42P01"
	invalidSchema  = "3F000"
)

func (s *postgresStore) load(ctx context.Context) (l *Ledger, _ []string, err error) {
	err = s.withConn(ctx, func(conn *pgx.Conn) error {
		snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		return pgx.BeginTxFunc(ctx, conn, snapshot, func(tx pgx.Tx) error {
			l, err = s.selectLedger(ctx, tx)
			return err
		})
	})
	if errors.Is(err, pgx.ErrTxCommitRollback) {
		err = nil // the tables do not exist yet
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		err = fmt.Errorf("cannot read the ledger: %w", err)
	}
	return l, nil, err
}

// selectLedger reads the ledger, nil if there is none. If there are no tables, the transaction
// cannot be committed, and it fails with pgx.ErrTxCommitRollback.
func (s *postgresStore) selectLedger(ctx context.Context, tx pgx.Tx) (*Ledger, error) {
	l := &Ledger{Entries: map[addr.Instance]Entry{}}
	args := pgx.NamedArgs{"name": s.name}
	err := tx.QueryRow(ctx, s.withSchema(`
		select format, host, lineage, key, serial from hew.ledgers where name = @name`), args).
		Scan(&l.Format, &l.Host, &l.Lineage, &l.KeyFingerprint, &l.Serial)
	var refused *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case errors.As(err, &refused) && (refused.Code == undefinedTable || refused.Code == invalidSchema):
		return nil, pgx.ErrTxCommitRollback
	case err != nil:
		return nil, err
	case l.Format > Format:
		return nil, &FormatError{Where: s.where, Format: l.Format}
	}
	rows, err := tx.Query(ctx, s.withSchema(`select addr, entry::text from hew.entries where ledger = @name`), args)
	if err != nil {
		return nil, err
	}
	var at, text string
	_, err = pgx.ForEachRow(rows, []any{&at, &text}, func() error { return s.decodeRow(l, at, text) })
	return l, err
}

// decodeRow adds a row of hew.entries to the ledger.
func (s *postgresStore) decodeRow(l *Ledger, at, text string) error {
	a, err := addr.Parse(at)
	if err != nil {
		return &DamageError{Where: s.where, What: err.Error(), serial: l.Serial}
	}
	e, err := decodeEntry([]byte(text))
	if err != nil {
		return &DamageError{Where: s.where, What: fmt.Sprintf("%s: %s", at, err), serial: l.Serial}
	}
	l.Entries[a] = e
	return nil
}

// save writes in one transaction. If the response to its commit is lost, the random writer in the
// header row tells whether it was carried out.
func (s *postgresStore) save(ctx context.Context, was uint64, head Header, lines []line, whole bool) error {
	writer := randomText(16)
	err := s.withConn(ctx, func(conn *pgx.Conn) error {
		if err := s.createTables(ctx, conn); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if err := s.writeHeader(ctx, tx, was, head, writer); err != nil {
				return err
			}
			return s.writeEntries(ctx, tx, lines, whole)
		})
	})
	var stale *StaleError
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &stale) || errors.As(err, &refused) {
		return err
	}
	var lastWriter string
	lookErr := s.withConn(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, s.withSchema(`select writer from hew.ledgers where name = @name`),
			pgx.NamedArgs{"name": s.name}).Scan(&lastWriter)
	})
	switch {
	case lookErr != nil:
		return unknownOutcome{err}
	case lastWriter == writer:
		return nil
	}
	return err
}

// writeHeader writes the header row, if the row there has the serial was; 0 stands for no row.
func (s *postgresStore) writeHeader(ctx context.Context, tx pgx.Tx, was uint64, head Header, writer string) error {
	statement := `update hew.ledgers set
			format = @format, host = @host, lineage = @lineage, key = @key, serial = @serial, writer = @writer
		where name = @name and serial = @was`
	if was == 0 {
		statement = `insert into hew.ledgers (name, format, host, lineage, key, serial, writer)
			values (@name, @format, @host, @lineage, @key, @serial, @writer) on conflict do nothing`
	}
	tag, err := tx.Exec(ctx, s.withSchema(statement), pgx.NamedArgs{"name": s.name, "was": int64(was), "writer": writer,
		"format": head.Format, "host": head.Host, "lineage": head.Lineage, "key": head.KeyFingerprint,
		"serial": int64(head.Serial)})
	if err == nil && tag.RowsAffected() == 0 {
		err = &StaleError{s.where, was}
	}
	return err
}

// writeEntries applies the lines to the entries; if whole, to no entries at all.
func (s *postgresStore) writeEntries(ctx context.Context, tx pgx.Tx, lines []line, whole bool) error {
	batch := &pgx.Batch{}
	if whole {
		batch.Queue(s.withSchema(`delete from hew.entries where ledger = @name`), pgx.NamedArgs{"name": s.name})
	}
	for _, n := range lines {
		row := pgx.NamedArgs{"name": s.name, "addr": n.Addr.String()}
		if n.Entry == nil {
			batch.Queue(s.withSchema(`delete from hew.entries where ledger = @name and addr = @addr`), row)
			continue
		}
		text, err := json.Marshal(n.Entry)
		if err != nil {
			return err
		}
		row["entry"] = string(text)
		batch.Queue(s.withSchema(`insert into hew.entries (ledger, addr, entry) values (@name, @addr, @entry)
			on conflict (ledger, addr) do update set entry = excluded.entry`), row)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// createTables creates the tables if they do not exist. Runs that do so at once wait for each
// other.
func (s *postgresStore) createTables(ctx context.Context, conn *pgx.Conn) error {
	var exist bool
	err := conn.QueryRow(ctx, `select to_regclass($1) is not null`,
		pgx.Identifier{s.schema, "locks"}.Sanitize()).Scan(&exist)
	if err != nil || exist {
		return err
	}
	_, err = conn.Exec(ctx, s.withSchema(`begin;
		select pg_advisory_xact_lock(`+strconv.FormatInt(tablesLockKey, 10)+`);
		create schema if not exists `+pgx.Identifier{s.schema}.Sanitize()+`;
		create table if not exists hew.ledgers (
			name    text primary key,
			format  integer not null,
			host    text not null,
			lineage text not null,
			key     text not null,
			serial  bigint not null,
			writer  text not null
		);
		create table if not exists hew.entries (
			ledger text not null references hew.ledgers on delete cascade,
			addr   text not null,
			entry  json not null,
			primary key (ledger, addr)
		);
		create table if not exists hew.locks (
			ledger text primary key,
			holder json not null
		);
		commit`))
	return err
}
