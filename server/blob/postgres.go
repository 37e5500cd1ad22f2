package blob

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"hew/server/db"
)

// postgres is the backend that keeps content in blob_chunks.
type postgres struct{ h *db.Store }

func (p postgres) create(key pgtype.UUID) writer { return &chunkWriter{h: p.h, key: key} }

// chunkWriter writes a batch as one statement, which is a transaction of its own.
type chunkWriter struct {
	h      *db.Store
	key    pgtype.UUID
	number int32 // of the next chunk
}

func (w *chunkWriter) append(ctx context.Context, batch []byte) error {
	rows := pgx.CopyFromFunc(func() ([]any, error) {
		if len(batch) == 0 {
			return nil, nil
		}
		chunk := batch[:min(chunkSize, len(batch))]
		values := []any{w.key, w.number, chunk}
		batch = batch[len(chunk):]
		w.number++
		return values, nil
	})
	return w.h.Copy(ctx, "blob_chunks", []string{"key", "number", "data"}, rows)
}

func (w *chunkWriter) finish(context.Context) error { return nil }

func (p postgres) read(ctx context.Context, key pgtype.UUID, offset int64, to []byte) error {
	first := offset / chunkSize
	last := (offset + int64(len(to)) - 1) / chunkSize
	filled := 0
	err := p.h.Each(ctx, `
		select number, data from blob_chunks where key = @key and number between @first and @last order by number`,
		pgx.NamedArgs{"key": key, "first": first, "last": last},
		func(row pgx.CollectableRow) error {
			var number int64
			var data pgtype.DriverBytes // valid until the next row: it is copied once
			if err := row.Scan(&number, &data); err != nil {
				return err
			}
			if number != first+int64(filled/chunkSize) {
				return errMissing
			}
			filled += copy(to[filled:], data)
			return nil
		})
	if err == nil && filled < len(to) {
		err = errMissing
	}
	return err
}

func (p postgres) size(ctx context.Context, key pgtype.UUID) (int64, error) {
	type sums struct{ Chunks, Last, Bytes int64 }
	s, err := db.One[sums](ctx, p.h, "", `
		select count(*) as chunks, coalesce(max(number), -1) as last, coalesce(sum(octet_length(data)), 0)::bigint as bytes
		from blob_chunks where key = @key`, pgx.NamedArgs{"key": key})
	if err == nil && s.Chunks != s.Last+1 { // a gap
		err = errMissing
	}
	return s.Bytes, err
}

// removedAtOnce is how many chunks a statement deletes.
const removedAtOnce = 64

func (p postgres) remove(ctx context.Context, key pgtype.UUID) error {
	for {
		n, err := p.h.Affected(ctx, `
			delete from blob_chunks where key = @key and number in (
				select number from blob_chunks where key = @key order by number limit @limit)`,
			pgx.NamedArgs{"key": key, "limit": removedAtOnce})
		if err != nil || n < removedAtOnce {
			return err
		}
	}
}

func (p postgres) keys(ctx context.Context) iter.Seq2[pgtype.UUID, error] {
	return func(yield func(pgtype.UUID, error) bool) {
		type found struct {
			Key pgtype.UUID `db:"key"`
		}
		after := pgtype.UUID{Valid: true}
		for {
			page, err := db.Many[found](ctx, p.h, fmt.Sprintf(`
				select distinct key from blob_chunks where key > @after order by key limit %d`, pageSize),
				pgx.NamedArgs{"after": after})
			if err != nil {
				yield(after, err)
				return
			}
			for _, f := range page {
				if !yield(f.Key, nil) {
					return
				}
				after = f.Key
			}
			if len(page) < pageSize {
				return
			}
		}
	}
}
