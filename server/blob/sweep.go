package blob

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"hew/server/db"
	"hew/server/jobs"
)

// Jobs are the kinds of jobs of this package.
var Jobs = []jobs.Kind{jobs.On(sweep).Each(grace)}

// SweepJob removes dead uploads and unused blobs, of the blobs those with ids above After.
type SweepJob struct {
	After int64 `json:"after"`
}

// Kind returns the name of the kind.
func (SweepJob) Kind() string { return "sweep_blobs" }

// sweepTime is how long a job sweeps before it leaves the rest to another one: less than the minute
// that the queue gives it.
const sweepTime = 30 * time.Second

func sweep(ctx context.Context, h *db.Store, j SweepJob) error {
	rest, err := Sweep(ctx, h, j.After, time.Now().Add(sweepTime))
	if err == nil && rest != nil {
		err = jobs.Enqueue(ctx, h, *rest)
	}
	return err
}

// Sweep removes the uploads that made no progress for a day, and the blobs with ids above after
// that no row references and that were neither put nor found for a day. It works in short
// statements and stops at the deadline: rest is then the job that goes on.
func Sweep(ctx context.Context, h *db.Store, after int64, deadline time.Time) (rest *SweepJob, err error) {
	if err := h.Exec(ctx,
		`update blob_uploads set dead = true where not dead and touched_at < now() - @grace::interval`,
		pgx.NamedArgs{"grace": grace}); err != nil {
		return nil, err
	}
	unused, err := unusedQuery(ctx, h)
	if err != nil {
		return nil, err
	}
	for more := true; more; {
		if time.Now().After(deadline) {
			return &SweepJob{After: after}, nil
		}
		if after, more, err = buryUnused(ctx, h, unused, after); err != nil {
			return nil, err
		}
	}
	left, err := removeDead(ctx, h, deadline)
	if left {
		rest = &SweepJob{After: after}
	}
	return rest, err
}

// pageSize is how many rows a statement looks at.
const pageSize = 1000

// unusedQuery returns the condition that a row b of blobs is unused: no column that references
// blobs has its id, and it was neither put nor found for a day.
func unusedQuery(ctx context.Context, h *db.Store) (string, error) {
	type column struct{ Table, Column string }
	referring, err := db.Many[column](ctx, h, `
		select c.conrelid::regclass::text as table, quote_ident(a.attname) as column
		from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
		where c.contype = 'f' and c.confrelid = 'blobs'::regclass order by 1, 2`, nil)
	if err != nil {
		return "", fmt.Errorf("find the tables that use blobs: %w", err)
	}
	var b strings.Builder
	b.WriteString(`b.used_at < now() - @grace::interval`)
	for _, c := range referring {
		fmt.Fprintf(&b, ` and not exists (select from %s r where r.%s = b.id)`, c.Table, c.Column)
	}
	return b.String(), nil
}

// buryUnused deletes the unused ones of the next page of blobs and marks their keys as dead. A blob
// that another transaction has locked is about to be used and is passed over.
func buryUnused(ctx context.Context, h *db.Store, unused string, after int64) (last int64, more bool, err error) {
	type page struct{ Last, Rows int64 }
	sql := `
		with page as materialized (select id from blobs where id > @after order by id limit @limit),
		unused as (
			select b.id from blobs b join page on page.id = b.id where ` + unused + ` for update of b skip locked),
		removed as (delete from blobs b using unused where b.id = unused.id returning b.key, b.backend),
		buried as (insert into blob_uploads (key, backend, dead) select key, backend, true from removed)
		select coalesce(max(id), 0) as last, count(*) as rows from page`
	for range 10 {
		p, err := db.One[page](ctx, h, "", sql, pgx.NamedArgs{"after": after, "limit": pageSize, "grace": grace})
		if err == nil {
			return p.Last, p.Rows == pageSize, nil
		}
		if !isReferenced(err) {
			return after, false, err
		}
		// A row that uses one of them was committed a moment ago, and is seen now.
	}
	return after, false, errors.New("sweep blobs: rows that use them appear faster than they are seen")
}

// isReferenced reports whether a foreign key kept a row from being deleted.
func isReferenced(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23503"
}

// removeDead removes the content of dead keys until the deadline, and reports whether any are left.
// A backend that fails does not keep the other one's from being removed.
func removeDead(ctx context.Context, h *db.Store, deadline time.Time) (left bool, err error) {
	type dead struct {
		Key     pgtype.UUID `db:"key"`
		Backend string      `db:"backend"`
	}
	// What is interrupted goes on at its next chunk: content may take longer than a sweep.
	until, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	after := pgtype.UUID{Valid: true}
	for {
		page, failed := db.Many[dead](ctx, h, `
			select key, backend from blob_uploads where dead and key > @after order by key limit @limit`,
			pgx.NamedArgs{"after": after, "limit": pageSize})
		if failed != nil {
			return false, errors.Join(err, failed)
		}
		for _, d := range page {
			failed := remove(until, h, d.Backend, d.Key)
			if time.Now().After(deadline) {
				return err == nil, err
			}
			if failed != nil && err == nil {
				err = fmt.Errorf("remove dead content: %w", failed)
			}
			after = d.Key
		}
		if len(page) < pageSize {
			return false, err
		}
	}
}
