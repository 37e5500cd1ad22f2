// Package blob keeps content that is too large for a row: packages, artifacts, LFS objects and
// exports.
//
// [Put] stores what a reader gives and returns a [Ref]; [Open] reads it from any offset. Content is
// found by its SHA-256: equal content is one blob, however often it is put. Both stream in batches
// of a few MiB, with one short statement or request a batch. No transaction and no connection is
// held while a client is slow, so that neither statement_timeout nor a full pool ends an upload.
//
// # Who uses a blob
//
// A row that uses a blob has a column that references blobs (id), with an index and without "on
// delete". That is all: [Sweep] asks Postgres's catalog which columns these are, and removes the
// blobs that none of them names and that were neither put nor found for a day. A domain cannot
// forget to count, and a count cannot drift when several hewd and their crashes take part. Should a
// row appear while its blob is being removed, the foreign key decides: either the row is refused or
// the removal.
//
// A blob that was put or found is kept for a day, which is the time to write the row that uses it.
//
// # Where the content is
//
// Content lies under a random key on a backend: in Postgres, in chunk rows of 1 MiB, or on an S3
// server. A key belongs to one upload and is never used again, so what removes old content cannot
// meet new content. Each key has a row: in blob_uploads from before its first byte until it is
// bound, in blobs from then on, in blob_uploads again (as dead) when it is to be removed. A process
// that dies at any point therefore leaves nothing that [Sweep] does not find. The row of a blob
// says which backend has it, so that both serve while [Move] moves blobs between them.
//
// Each MiB has a CRC-32C in the row of its blob and is checked before a reader gets it: damaged
// content is an error and never content. [Check] hashes whole blobs.
package blob

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"hew/server/db"
)

const (
	chunkSize = 1 << 20        // of a row in blob_chunks, and of a checksum
	batchSize = 8 * chunkSize  // of what is written or read at once; of a part on S3, at least 5 MiB
	grace     = 24 * time.Hour // how long uploads and unused blobs are kept
)

// Ref identifies a blob. Rows that use the blob keep its ID in a column that references blobs (id).
type Ref struct {
	ID     int64
	SHA256 [32]byte
	Size   int64 // in bytes
}

// String returns the hash in hexadecimal.
func (r Ref) String() string { return hex.EncodeToString(r.SHA256[:]) }

// row is a row of blobs.
type row struct {
	ID        int64       `db:"id"`
	SHA256    []byte      `db:"sha256"`
	Size      int64       `db:"size"`
	Backend   string      `db:"backend"`
	Key       pgtype.UUID `db:"key"`
	Checksums []byte      `db:"checksums"`
}

const columns = `id, sha256, size, backend, key, checksums`

func (r row) ref() Ref { return Ref{ID: r.ID, SHA256: [32]byte(r.SHA256), Size: r.Size} }

// String names the blob in errors.
func (r row) String() string { return fmt.Sprintf("blob %d (SHA-256 %x)", r.ID, r.SHA256) }

// Find returns the blob with the hash and keeps it for a day, as Put does. If there is none, the
// error is a not-found fault.
func Find(ctx context.Context, h *db.Store, sha256 [32]byte) (Ref, error) {
	b, err := db.One[row](ctx, h, "Blob",
		`update blobs set used_at = now() where sha256 = @sha256 returning `+columns,
		pgx.NamedArgs{"sha256": sha256[:]})
	if err != nil {
		return Ref{}, err
	}
	return b.ref(), nil
}

// Load returns the blob with the id that a row names.
func Load(ctx context.Context, h *db.Store, id int64) (Ref, error) {
	b, err := load(ctx, h, id)
	if err != nil {
		return Ref{}, err
	}
	return b.ref(), nil
}

func load(ctx context.Context, h *db.Store, id int64) (row, error) {
	return db.One[row](ctx, h, "Blob", `select `+columns+` from blobs where id = @id`, pgx.NamedArgs{"id": id})
}
