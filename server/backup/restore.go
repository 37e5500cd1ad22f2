package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/db"
)

// Target is where a backup is restored to.
type Target struct {
	Pool      *pgxpool.Pool
	KeyDigest []byte // of the sealing key; nil: nobody has given it yet
}

// ErrOtherKey is the error of a backup whose secrets were sealed under another key than the one of
// the target.
var ErrOtherKey = errors.New("the secrets of the backup were sealed under another key; give the one of the hewd that " +
	"wrote it, by HEWD_SECRET_KEY or as the file secret_key in the data directory")

// Restore loads a backup into an empty database, and brings its schema up to date. If reading the
// backup fails, the database has tables without rows. If only the schema cannot be brought up to
// date, all rows are there. progress may be nil.
func Restore(ctx context.Context, r io.Reader, to Target, progress Progress) (s Summary, err error) {
	in := &reader{tar: tar.NewReader(r), sum: sha256.New(), progress: progress}
	if err := in.readJSON(manifestName, &in.manifest); err != nil {
		return s, err
	}
	m := in.manifest
	switch {
	case m.Format != format:
		return s, fmt.Errorf("the backup has format %d, and this hewd reads format %d: use hewd %s", m.Format, format,
			m.Version)
	case m.KeyDigest != "" && to.KeyDigest != nil && hex.EncodeToString(to.KeyDigest) != m.KeyDigest:
		return s, ErrOtherKey
	}
	if err := db.MigrateTo(ctx, to.Pool, m.Schema); err != nil {
		return s, err
	}
	conn, err := to.Pool.Acquire(ctx)
	if err != nil {
		return s, err
	}
	defer conn.Release()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return in.restore(ctx, tx) })
	if err != nil {
		return s, err
	}
	for _, n := range in.end.Rows {
		s.Rows += n
	}
	s.Tables, s.Bytes, s.CreatedAt, s.KeyDigest = len(m.Tables), in.bytes, m.CreatedAt, m.KeyDigest
	if _, err := conn.Exec(ctx, `analyze`); err != nil {
		return s, err
	}
	return s, db.Migrate(ctx, to.Pool)
}

// restore writes all rows in a transaction. Foreign keys are added again afterwards, which checks
// them.
func (in *reader) restore(ctx context.Context, tx pgx.Tx) error {
	kept, err := tables(ctx, tx.Conn())
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, t := range kept {
		known[t.Name] = true
	}
	for _, t := range in.manifest.Tables {
		if !known[t.Name] {
			return damaged("there is no table %s in its schema", t.Name)
		}
	}
	keys, err := foreignKeys(ctx, tx)
	if err != nil {
		return err
	}
	statements := []string{`set local statement_timeout = 0`}
	for _, k := range keys {
		statements = append(statements, "alter table "+k.Table+" drop constraint "+k.Name)
	}
	for _, t := range in.manifest.Tables {
		statements = append(statements, "alter table "+t.quoted()+" disable trigger user", "truncate "+t.quoted())
	}
	if err := execAll(ctx, tx, statements); err != nil {
		return err
	}
	rows, err := in.readTables(ctx, tx.Conn())
	if err != nil {
		return err
	}
	if !maps.Equal(rows, in.end.Rows) {
		return damaged("it has other rows than it says")
	}
	for name, last := range in.end.Sequences {
		if _, err := tx.Exec(ctx, `select setval($1::regclass, $2)`, pgx.Identifier{name}.Sanitize(), last); err != nil {
			return err
		}
	}
	// Jobs that ran then run nowhere now.
	statements = []string{
		`update river_job set state = 'available' where state = 'running'`, `drop table ` + db.Unfinished,
	}
	for _, t := range in.manifest.Tables {
		statements = append(statements, "alter table "+t.quoted()+" enable trigger user")
	}
	for _, k := range keys {
		statements = append(statements, "alter table "+k.Table+" add constraint "+k.Name+" "+k.Definition)
	}
	return execAll(ctx, tx, statements)
}

func execAll(ctx context.Context, tx pgx.Tx, statements []string) error {
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// foreignKey is a constraint, ready for statements.
type foreignKey struct{ Table, Name, Definition string }

func foreignKeys(ctx context.Context, tx pgx.Tx) ([]foreignKey, error) {
	rows, err := tx.Query(ctx, `
		select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
		from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[foreignKey])
}
