package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"hew/reconcile/addr"
)

// PostgresConfig says in which database a ledger is kept.
type PostgresConfig struct {
	URL    string // "": as libpq's environment variables say
	Name   string // of the ledger, for there may be several in a database; "": default
	Schema string // that its tables are in; "": hew
	Key    string // text of the digest key
}

// Postgres keeps a ledger in a database, a row an entry. Its tables are made by the
// first run that writes. The error is about the url, and does not repeat it.
func Postgres(c PostgresConfig) (Backend, error) {
	config, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return nil, errors.New("url is not the address of a database, such as postgres://user@host:5432/name")
	}
	p := &database{config: config, name: cmp.Or(c.Name, "default"), schema: cmp.Or(c.Schema, "hew")}
	p.where = fmt.Sprintf("%s in %s/%s", p.name, config.Host, config.Database)
	return &remote{place: p, where: p.where, keyText: c.Key}, nil
}

// database is the place of a ledger in Postgres. A run that holds the lock does
// everything on the connection that has it, so that what it writes after it has
// lost the lock is refused.
type database struct {
	config       *pgx.ConnConfig
	name, schema string
	where        string

	one  sync.Mutex // guards conn, and is held over its use
	conn *pgx.Conn  // that holds the lock; nil: none
}

// sql puts the schema into a statement.
func (d *database) sql(text string) string {
	return strings.ReplaceAll(text, "hew.", pgx.Identifier{d.schema}.Sanitize()+".")
}

const (
	undefinedTable = "42P01"
	invalidSchema  = "3F000"
)

func (d *database) load(ctx context.Context) (l *Ledger, _ []string, err error) {
	err = d.with(ctx, func(conn *pgx.Conn) error {
		snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		return pgx.BeginTxFunc(ctx, conn, snapshot, func(tx pgx.Tx) error {
			l = &Ledger{Entries: map[addr.Instance]Entry{}}
			err := tx.QueryRow(ctx, d.sql(`
				select format, host, lineage, key, serial from hew.ledgers where name = @name`), pgx.NamedArgs{"name": d.name}).
				Scan(&l.Format, &l.Host, &l.Lineage, &l.KeyFingerprint, &l.Serial)
			var refused *pgconn.PgError
			switch {
			case errors.Is(err, pgx.ErrNoRows):
				l = nil
				return nil
			case errors.As(err, &refused) && (refused.Code == undefinedTable || refused.Code == invalidSchema):
				l = nil
				return pgx.ErrTxCommitRollback
			case err != nil:
				return err
			case l.Format > Format:
				return &FormatError{Where: d.where, Format: l.Format}
			}
			rows, err := tx.Query(ctx, d.sql(`select addr, entry::text from hew.entries where ledger = @name`), pgx.NamedArgs{"name": d.name})
			if err != nil {
				return err
			}
			var at, text string
			_, err = pgx.ForEachRow(rows, []any{&at, &text}, func() error { return d.read(l, at, text) })
			return err
		})
	})
	if errors.Is(err, pgx.ErrTxCommitRollback) {
		err = nil // there are no tables yet
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		err = fmt.Errorf("cannot read the ledger: %w", err)
	}
	return l, nil, err
}

// read adds a row to the ledger.
func (d *database) read(l *Ledger, at, text string) error {
	a, err := addr.Parse(at)
	if err != nil {
		return &DamageError{Where: d.where, What: err.Error(), serial: l.Serial}
	}
	e, err := decodeEntry([]byte(text))
	if err != nil {
		return &DamageError{Where: d.where, What: fmt.Sprintf("%s: %s", at, err), serial: l.Serial}
	}
	l.Entries[a] = e
	return nil
}

// save writes in one transaction. Where its commit is not answered, the writer's
// mark on the header tells whether it came to pass.
func (d *database) save(ctx context.Context, was uint64, head line, lines []line, whole bool) error {
	mark := random(16)
	err := d.with(ctx, func(conn *pgx.Conn) error {
		if err := d.provide(ctx, conn); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return d.write(ctx, tx, was, head, lines, whole, mark) })
	})
	var stale *StaleError
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &stale) || errors.As(err, &refused) {
		return err
	}
	var now string
	look := d.with(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, d.sql(`select writer from hew.ledgers where name = @name`), pgx.NamedArgs{"name": d.name}).Scan(&now)
	})
	switch {
	case look == nil && now == mark:
		return nil
	case look == nil:
		return err
	}
	return uncertain{err}
}

func (d *database) write(ctx context.Context, tx pgx.Tx, was uint64, head line, lines []line, whole bool, mark string) error {
	args := pgx.NamedArgs{"name": d.name, "format": head.Format, "host": head.Host, "lineage": head.Lineage, "key": head.KeyFingerprint,
		"serial": int64(head.Serial), "was": int64(was), "writer": mark}
	statement := `update hew.ledgers set format = @format, host = @host, lineage = @lineage, key = @key, serial = @serial, writer = @writer
		where name = @name and serial = @was`
	if was == 0 {
		statement = `insert into hew.ledgers (name, format, host, lineage, key, serial, writer)
			values (@name, @format, @host, @lineage, @key, @serial, @writer) on conflict do nothing`
	}
	tag, err := tx.Exec(ctx, d.sql(statement), args)
	if err == nil && tag.RowsAffected() == 0 {
		err = &StaleError{d.where, was}
	}
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	if whole {
		batch.Queue(d.sql(`delete from hew.entries where ledger = @name`), args)
	}
	for _, n := range lines {
		row := pgx.NamedArgs{"name": d.name, "addr": n.Addr.String()}
		if n.Entry == nil {
			batch.Queue(d.sql(`delete from hew.entries where ledger = @name and addr = @addr`), row)
			continue
		}
		text, err := json.Marshal(n.Entry)
		if err != nil {
			return err
		}
		row["entry"] = string(text)
		batch.Queue(d.sql(`insert into hew.entries (ledger, addr, entry) values (@name, @addr, @entry)
			on conflict (ledger, addr) do update set entry = excluded.entry`), row)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// provide makes the tables; of several who do so at once, one after the other.
func (d *database) provide(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	err := conn.QueryRow(ctx, `select to_regclass($1) is not null`, pgx.Identifier{d.schema, "locks"}.Sanitize()).Scan(&there)
	if err != nil || there {
		return err
	}
	_, err = conn.Exec(ctx, d.sql(`begin;
		select pg_advisory_xact_lock(`+strconv.FormatInt(tablesKey, 10)+`);
		create schema if not exists `+pgx.Identifier{d.schema}.Sanitize()+`;
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
