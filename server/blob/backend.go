package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"hew/server/db"
)

// backend keeps content under keys. Its methods are safe for concurrent use.
type backend interface {
	// create begins the content of a key that has none. Nothing is written before the first append.
	create(key pgtype.UUID) writer
	// read fills p with what the key has from offset on, which is a multiple of chunkSize. If that
	// is not there, the error is errMissing.
	read(ctx context.Context, key pgtype.UUID, offset int64, p []byte) error
	// size returns how many bytes a key has, errMissing if it has none.
	size(ctx context.Context, key pgtype.UUID) (int64, error)
	// remove removes the content of a key, whole or in part. A key without content is no error.
	remove(ctx context.Context, key pgtype.UUID) error
	// keys returns every key that has content.
	keys(ctx context.Context) iter.Seq2[pgtype.UUID, error]
}

// writer writes the content of a key in order.
type writer interface {
	// append adds a batch. All batches but the last have batchSize bytes.
	append(ctx context.Context, batch []byte) error
	// finish makes the content readable.
	finish(ctx context.Context) error
}

// errMissing says that a backend does not have the content of a key, or not all of it.
var errMissing = errors.New("the content is missing")

// The names of the backends in rows.
const (
	inPostgres = "postgres"
	inS3       = "s3"
)

// stores are the backends that a process has.
type stores struct {
	put   string // the backend of new content
	by    map[string]backend
	stats Stats
}

type storesKey struct{}

// storesOf returns the backends of a database: those that Configure attached, or Postgres alone.
func storesOf(h *db.Store) *stores {
	if s, ok := h.Attached(storesKey{}).(*stores); ok {
		return s
	}
	return h.Remembered(storesKey{}, func() any {
		return &stores{put: inPostgres, by: map[string]backend{inPostgres: postgres{h}}}
	}).(*stores)
}

// named returns the backend that a row names.
func (s *stores) named(name string) (backend, error) {
	if b, ok := s.by[name]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("the content is on %s, which this hewd has no address for: set HEWD_BLOB_URL", name)
}

// newKey returns a key that nothing has. Keys grow with time, so that those of one day lie together
// in the indexes (RFC 9562, version 7).
func newKey() pgtype.UUID {
	key := pgtype.UUID{Valid: true}
	_, _ = rand.Read(key.Bytes[6:]) // never fails
	milliseconds := time.Now().UnixMilli()
	for i := range 6 {
		key.Bytes[i] = byte(milliseconds >> (40 - 8*i))
	}
	key.Bytes[6] = key.Bytes[6]&0x0f | 0x70
	key.Bytes[8] = key.Bytes[8]&0x3f | 0x80
	return key
}
