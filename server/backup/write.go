package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/db"
)

// Write writes all rows of one snapshot to w. version is that of hewd, for the manifest; progress
// may be nil.
func Write(
	ctx context.Context, w io.Writer, pool *pgxpool.Pool, version string, progress Progress,
) (s Summary, err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return s, err
	}
	defer conn.Release()
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	tx, err := conn.BeginTx(ctx, snapshot)
	if err != nil {
		return s, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // it only reads
	if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
		return s, err
	}
	m := Manifest{Format: format, Version: version, CreatedAt: time.Now().UTC().Truncate(time.Second)}
	if m.KeyDigest, err = keyDigest(ctx, tx); err != nil {
		return s, err
	}
	if m.Schema, err = db.ReadSchema(ctx, tx.Conn()); err != nil {
		return s, err
	}
	if m.Tables, err = tables(ctx, tx.Conn()); err != nil {
		return s, err
	}
	b := &writer{
		tar: tar.NewWriter(w), at: m.CreatedAt, sum: sha256.New(), progress: progress,
		end: end{Rows: map[string]int64{}},
	}
	if err := b.writeJSON(manifestName, m); err != nil {
		return s, err
	}
	for _, t := range m.Tables {
		n, err := b.writeTable(ctx, tx.Conn(), t)
		if err != nil {
			return s, fmt.Errorf("table %s: %w", t.Name, err)
		}
		b.end.Rows[t.Name] = n
		s.Rows += n
	}
	// Read last: sequences are of no snapshot, and must not be behind the rows.
	if b.end.Sequences, err = sequences(ctx, tx.Conn()); err != nil {
		return s, err
	}
	b.end.SHA256 = hex.EncodeToString(b.sum.Sum(nil))
	if err := b.writeJSON(endName, b.end); err != nil {
		return s, err
	}
	s.Tables, s.Bytes, s.CreatedAt, s.KeyDigest = len(m.Tables), b.bytes, m.CreatedAt, m.KeyDigest
	return s, b.tar.Close()
}

// keyDigest returns the digest of the key that the secrets of a database were sealed under, empty
// if there was none.
func keyDigest(ctx context.Context, tx pgx.Tx) (digest string, err error) {
	err = tx.QueryRow(ctx, `
		select coalesce(encode(sealing_key_digest, 'hex'), '') from application_settings where id = 1`).Scan(&digest)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return digest, err
}

// writer writes the entries of an archive.
type writer struct {
	tar      *tar.Writer
	at       time.Time
	sum      hash.Hash
	bytes    int64
	progress Progress
	end      end
}

func (b *writer) writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return b.writeEntry(name, text)
}

func (b *writer) writeEntry(name string, content []byte) error {
	if err := b.tar.WriteHeader(&tar.Header{
		Name: name, Mode: 0o600, Size: int64(len(content)), ModTime: b.at, Format: tar.FormatPAX,
	}); err != nil {
		return err
	}
	_, err := b.tar.Write(content)
	return err
}

// writeTable writes the rows of a table and returns how many there are.
func (b *writer) writeTable(ctx context.Context, conn *pgx.Conn, t table) (int64, error) {
	p := &parts{b: b, table: t.Name}
	tag, err := conn.PgConn().CopyTo(ctx, p, fmt.Sprintf("copy %s (%s) to stdout (format binary)", t.quoted(), t.columns()))
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), p.flush()
}

// parts cuts the rows of a table into entries.
type parts struct {
	b     *writer
	table string
	n     int
	held  bytes.Buffer
}

// Write implements io.Writer.
func (p *parts) Write(data []byte) (int, error) {
	p.held.Write(data)
	if p.held.Len() < partSize {
		return len(data), nil
	}
	return len(data), p.flush()
}

func (p *parts) flush() error {
	if p.held.Len() == 0 {
		return nil
	}
	p.n++
	p.b.sum.Write(p.held.Bytes())
	p.b.bytes += int64(p.held.Len())
	err := p.b.writeEntry(partName(p.table, p.n), p.held.Bytes())
	p.held.Reset()
	if p.b.progress != nil {
		p.b.progress(p.b.bytes)
	}
	return err
}

func partName(table string, n int) string { return fmt.Sprintf("%s%s/%06d", tablesDir, table, n) }

// sequences returns the last values of the sequences that were used.
func sequences(ctx context.Context, conn *pgx.Conn) (map[string]int64, error) {
	rows, err := conn.Query(ctx, `
		select sequencename::text, last_value from pg_sequences
		where schemaname = current_schema() and last_value is not null`)
	if err != nil {
		return nil, err
	}
	last := map[string]int64{}
	var name string
	var value int64
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error { last[name] = value; return nil })
	return last, err
}
