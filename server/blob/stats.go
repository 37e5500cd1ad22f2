package blob

import (
	"context"
	"sync/atomic"

	"hew/server/db"
)

// Stats counts the bytes that a process has moved.
type Stats struct {
	In  atomic.Int64 // stored by Put
	Out atomic.Int64 // given by readers
}

// StatsOf returns the counters of the process for a database.
func StatsOf(h *db.Store) *Stats { return &storesOf(h).stats }

// Stored is what a backend has.
type Stored struct {
	Backend string // postgres or s3
	Blobs   int64
	Bytes   int64
}

// CountStored returns what each backend has, without uploads that are not bound. It reads an index
// of all blobs.
func CountStored(ctx context.Context, h *db.Store) ([]Stored, error) {
	return db.Many[Stored](ctx, h, `
		select backend, count(*) as blobs, coalesce(sum(size), 0)::bigint as bytes
		from blobs group by backend order by backend`, nil)
}
