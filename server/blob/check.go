package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"hew/server/db"
	"hew/server/fault"
)

// Depth is how closely Check looks.
type Depth int

// The depths.
const (
	Sizes  Depth = iota // that all content is there, by its size
	Hashes              // that it has its hash, which reads all of it
)

// Problem is what can be wrong.
type Problem string

// The problems. The content of a missing or damaged blob is lost, unless a backup has it; orphaned
// content only takes space.
const (
	Missing  Problem = "missing"
	Damaged  Problem = "damaged"
	Orphaned Problem = "orphaned"
)

// Finding is a problem that Check has found.
type Finding struct {
	Problem Problem
	Backend string
	Key     string // of the content
	Blob    *Ref   // nil if it is orphaned
}

// String returns a line about it.
func (f Finding) String() string {
	if f.Blob == nil {
		return fmt.Sprintf("%s: key %s on %s belongs to no blob", f.Problem, f.Key, f.Backend)
	}
	return fmt.Sprintf("%s: blob %d, key %s on %s, %d bytes, SHA-256 %s", f.Problem, f.Blob.ID, f.Key, f.Backend,
		f.Blob.Size, f.Blob)
}

// Checked sums up a check.
type Checked struct {
	Blobs, Bytes int64
	Problems     map[Problem]int
}

// Check compares the rows of all blobs with what the backends have, and calls report with each
// problem. It may run while hewd serves: what is put or removed meanwhile is no problem.
func Check(ctx context.Context, h *db.Store, d Depth, report func(Finding)) (Checked, error) {
	c := &checker{h: h, stores: storesOf(h), depth: d, Checked: Checked{Problems: map[Problem]int{}}}
	c.report = func(f Finding) {
		c.Problems[f.Problem]++
		report(f)
	}
	err := eachBlob(ctx, h, "", c.blob)
	for name, b := range c.stores.by {
		if err == nil {
			err = c.orphans(ctx, name, b)
		}
	}
	return c.Checked, err
}

type checker struct {
	h      *db.Store
	stores *stores
	depth  Depth
	report func(Finding)
	Checked
}

// eachBlob calls do with the blobs on a backend, or with all of them for "", in the order of ids.
func eachBlob(ctx context.Context, h *db.Store, on string, do func(context.Context, row) error) error {
	for after := int64(0); ; {
		w := db.NewWhere(nil)
		w.And(`id > @after`, after)
		w.AndIf(on != "", `backend = @on`, on)
		page, err := db.Many[row](ctx, h,
			fmt.Sprintf(`select `+columns+` from blobs%s order by id limit %d`, w, pageSize), w.Args)
		if err != nil {
			return err
		}
		for _, b := range page {
			if err := do(ctx, b); err != nil {
				return err
			}
			after = b.ID
		}
		if len(page) < pageSize {
			return nil
		}
	}
}

// blob checks one blob.
func (c *checker) blob(ctx context.Context, b row) error {
	problem, err := c.problem(ctx, b)
	if err != nil {
		return fmt.Errorf("check %s: %w", b, err)
	}
	c.Blobs++
	c.Bytes += b.Size
	if problem == "" {
		return nil
	}
	now, err := load(ctx, c.h, b.ID)
	if fault.CodeOf(err) == fault.CodeNotFound { // it was removed meanwhile
		return nil
	}
	if err == nil && now.Key != b.Key { // or moved
		return c.blob(ctx, now)
	}
	if err == nil {
		ref := b.ref()
		c.report(Finding{Problem: problem, Backend: b.Backend, Key: b.Key.String(), Blob: &ref})
	}
	return err
}

func (c *checker) problem(ctx context.Context, b row) (Problem, error) {
	in, err := c.stores.named(b.Backend)
	if err != nil || b.Size == 0 {
		return "", err
	}
	size, err := in.size(ctx, b.Key)
	if errors.Is(err, errMissing) || err == nil && size != b.Size {
		return Missing, nil
	}
	if err != nil || c.depth < Hashes {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, newReader(ctx, c.h, b))
	switch {
	case errors.Is(err, errMissing):
		return Missing, nil
	case errors.Is(err, errDamaged), err == nil && [32]byte(hash.Sum(nil)) != b.ref().SHA256:
		return Damaged, nil
	}
	return "", err
}

// orphans reports the keys on a backend that have no row.
func (c *checker) orphans(ctx context.Context, name string, b backend) error {
	var page []pgtype.UUID
	for key, err := range b.keys(ctx) {
		if err != nil {
			return err
		}
		if page = append(page, key); len(page) == pageSize {
			if err := c.orphansAmong(ctx, name, b, page); err != nil {
				return err
			}
			page = page[:0]
		}
	}
	return c.orphansAmong(ctx, name, b, page)
}

func (c *checker) orphansAmong(ctx context.Context, name string, b backend, keys []pgtype.UUID) error {
	type found struct {
		Key pgtype.UUID `db:"key"`
	}
	rowless, err := db.Many[found](ctx, c.h, `
		select k.key from unnest(@keys::uuid[]) k (key) where not exists (select from blobs b where b.key = k.key)
			and not exists (select from blob_uploads u where u.key = k.key)`, pgx.NamedArgs{"keys": keys})
	for _, f := range rowless {
		_, gone := b.size(ctx, f.Key)
		switch {
		case errors.Is(gone, errMissing): // removed meanwhile
		case gone != nil:
			return gone
		default:
			c.report(Finding{Problem: Orphaned, Backend: name, Key: f.Key.String()})
		}
	}
	return err
}
