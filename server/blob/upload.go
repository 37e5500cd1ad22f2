package blob

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"hew/server/db"
	"hew/server/fault"
)

// upload is content that is on its way to a backend.
type upload struct {
	h       *db.Store
	stores  *stores
	backend string
	key     pgtype.UUID // not valid before there is a row in blob_uploads
	writer  writer      // nil before begin
	touched time.Time   // when the row in blob_uploads said so last

	hash      hash.Hash
	also      []hash.Hash
	size      int64
	checksums []byte
}

// write writes a batch, after the row that says that the key is in use.
func (u *upload) write(ctx context.Context, batch []byte) error {
	if err := u.touch(ctx); err != nil {
		return err
	}
	if err := u.writer.append(ctx, batch); err != nil {
		return fmt.Errorf("store the content on %s: %w", u.backend, err)
	}
	return nil
}

// touch keeps the row of the upload from the sweep. It says so once an hour: an upload may take
// longer than the sweep waits.
func (u *upload) touch(ctx context.Context) error {
	if u.writer == nil {
		b, err := u.stores.named(u.backend)
		if err != nil {
			return err
		}
		key := newKey()
		if err := u.h.Exec(ctx, `insert into blob_uploads (key, backend) values (@key, @backend)`,
			pgx.NamedArgs{"key": key, "backend": u.backend}); err != nil {
			return err
		}
		u.key, u.writer, u.touched = key, b.create(key), time.Now()
		return nil
	}
	if time.Since(u.touched) < grace/24 {
		return nil
	}
	n, err := u.h.Affected(ctx, `update blob_uploads set touched_at = now() where key = @key and not dead`,
		pgx.NamedArgs{"key": u.key})
	if err == nil && n == 0 {
		err = errSwept
	}
	u.touched = time.Now()
	return err
}

// errSwept ends an upload whose process was stopped for a day.
var errSwept = fault.Unavailable().Because(errors.New("the upload made no progress for a day and was swept"))

// bind makes the content a blob, or takes the blob that has the same content.
func (u *upload) bind(ctx context.Context) (Ref, error) {
	if err := u.touch(ctx); err != nil { // empty content has no batch that did
		return Ref{}, err
	}
	if err := u.writer.finish(ctx); err != nil {
		return Ref{}, fmt.Errorf("store the content on %s: %w", u.backend, err)
	}
	sum := u.sum()
	var bound row
	err := u.h.Tx(ctx, func(tx *db.Store) (err error) {
		if err := bury(ctx, tx, u.key); err != nil {
			return err
		}
		// A blob that is being swept is waited for: it is there and used again, or gone.
		bound, err = db.One[row](ctx, tx, "Blob", `
			insert into blobs (sha256, size, backend, key, checksums) values (@sha256, @size, @backend, @key, @checksums)
			on conflict (sha256) do update set used_at = now()
			returning `+columns, pgx.NamedArgs{
			"sha256": sum[:], "size": u.size, "backend": u.backend, "key": u.key, "checksums": u.checksums,
		})
		if err != nil || bound.Key != u.key { // somebody was faster
			return err
		}
		return tx.Exec(ctx, `delete from blob_uploads where key = @key`, pgx.NamedArgs{"key": u.key})
	})
	if err != nil {
		return Ref{}, err
	}
	if bound.Key != u.key {
		// The blob is stored; what fails here is done by the sweep.
		_ = remove(context.WithoutCancel(ctx), u.h, u.backend, u.key)
	}
	return bound.ref(), nil
}

// discard removes what was written of an upload that failed. Where the failure was that of the
// commit, and the upload was bound after all, it leaves it.
func (u *upload) discard(ctx context.Context) error {
	if u.writer == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err := bury(ctx, u.h, u.key)
	switch {
	case errors.Is(err, errSwept):
		return nil
	case err == nil:
		err = remove(ctx, u.h, u.backend, u.key)
	}
	if err != nil {
		err = fmt.Errorf("remove the unfinished content, which the next sweep does: %w", err)
	}
	return err
}

// bury marks the key of an upload as dead. If there is no living upload with that key, the error is
// errSwept. A bind that is under way is waited for.
func bury(ctx context.Context, h *db.Store, key pgtype.UUID) error {
	n, err := h.Affected(ctx, `update blob_uploads set dead = true where key = @key and not dead`,
		pgx.NamedArgs{"key": key})
	if err == nil && n == 0 {
		err = errSwept
	}
	return err
}

// remove removes the content of a key if it is dead, and then its row.
func remove(ctx context.Context, h *db.Store, in string, key pgtype.UUID) error {
	dead, err := db.Value[bool](ctx, h, `select exists (select from blob_uploads where key = @key and dead)`,
		pgx.NamedArgs{"key": key})
	if err != nil || !dead {
		return err
	}
	b, err := storesOf(h).named(in)
	if err != nil {
		return err
	}
	if err := b.remove(ctx, key); err != nil {
		return err
	}
	return h.Exec(ctx, `delete from blob_uploads where key = @key and dead`, pgx.NamedArgs{"key": key})
}
