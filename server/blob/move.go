package blob

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Moved is how far a move is.
type Moved struct {
	Blobs, Bytes       int64 // moved by now
	AllBlobs, AllBytes int64 // to be moved, as counted at the beginning
	Failed             int64 // could not be read and stay where they are
}

// Move moves all blobs to a backend, postgres or s3, and calls progress after each one, with the
// error of one that cannot be read: it stays where it is. Blobs are served meanwhile, from where
// they are. A move that is interrupted goes on when it is started again.
func Move(ctx context.Context, h *db.Store, to string, progress func(Moved, error)) (Moved, error) {
	s := storesOf(h)
	from := map[string]string{inPostgres: inS3, inS3: inPostgres}[to]
	switch {
	case from == "":
		return Moved{}, fmt.Errorf("invalid backend %q: use postgres or s3", to)
	case s.by[inS3] == nil:
		return Moved{}, errNoURL
	}
	m, err := db.One[Moved](ctx, h, "", `
		select 0::bigint as blobs, 0::bigint as bytes, 0::bigint as failed, count(*) as all_blobs,
			coalesce(sum(size), 0)::bigint as all_bytes
		from blobs where backend = @from`, pgx.NamedArgs{"from": from})
	if err != nil {
		return m, err
	}
	err = eachBlob(ctx, h, from, func(ctx context.Context, b row) error {
		err := move(ctx, h, b, to)
		switch {
		case errors.Is(err, errMissing), errors.Is(err, errDamaged):
			m.Failed++
		case err != nil:
			return fmt.Errorf("move %s to %s: %w", b, to, err)
		default:
			m.Blobs++
			m.Bytes += b.Size
		}
		progress(m, err)
		return nil
	})
	return m, err
}

// move copies the content of a blob to a backend, exchanges its key, and removes the old content.
// Readers that are in the middle of it look up the new key.
func move(ctx context.Context, h *db.Store, b row, to string) error {
	s := storesOf(h)
	u := &upload{h: h, stores: s, backend: to}
	err := u.copy(ctx, b)
	if err == nil {
		err = u.exchange(ctx, b)
	}
	if err != nil {
		return errors.Join(err, u.discard(context.WithoutCancel(ctx)))
	}
	return errors.Join(remove(ctx, h, b.Backend, b.Key), remove(ctx, h, u.backend, u.key))
}

// copy writes the content of a blob.
func (u *upload) copy(ctx context.Context, b row) error {
	if err := u.touch(ctx); err != nil {
		return err
	}
	memory := make([]byte, min(batchSize, b.Size))
	for start := int64(0); start < b.Size; start += batchSize {
		batch := memory[:min(batchSize, b.Size-start)]
		if err := b.read(ctx, u.h, start, batch); err != nil {
			return err
		}
		if err := u.write(ctx, batch); err != nil {
			return err
		}
	}
	return u.writer.finish(ctx)
}

// exchange has a blob use the content that was copied, and marks its old content as dead. A blob
// that was removed meanwhile, or moved by somebody else, stays as it is.
func (u *upload) exchange(ctx context.Context, b row) error {
	return u.h.Tx(ctx, func(tx *db.Store) error {
		if err := bury(ctx, tx, u.key); err != nil {
			return err
		}
		n, err := tx.Affected(ctx, `update blobs set key = @key, backend = @backend where id = @id and key = @old`,
			pgx.NamedArgs{"key": u.key, "backend": u.backend, "id": b.ID, "old": b.Key})
		if err != nil || n == 0 {
			return err
		}
		return tx.Exec(ctx, `
			with bound as (delete from blob_uploads where key = @key)
			insert into blob_uploads (key, backend, dead) values (@old, @old_backend, true)`,
			pgx.NamedArgs{"key": u.key, "old": b.Key, "old_backend": b.Backend})
	})
}
