package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// workCopy is the copy of a repository on disk: a bare repository whose packs are those of the
// database. Its refs are not kept up to date; writeRefs writes them when git needs them.
//
// Each epoch of a repository has a copy of its own, so that nothing finds an object that garbage
// collection has removed, and nobody loses a file that git reads.
type workCopy struct {
	storage           *Storage
	repository, epoch int64
	dir               string
	older             *workCopy // of an earlier epoch, while somebody uses it; guarded by Storage.mu
	retired           bool      // it is about to be removed: a later epoch has taken its place; guarded by used

	used       sync.RWMutex // read-locked while somebody needs the directory; locked to remove it
	usedAt     atomic.Int64 // when it was used last, in nanoseconds
	filling    sync.Mutex   // of what follows, while it is written to disk
	sincePacks int64        // packs linked by earlier transactions are here
	sinceLoose int64        // and so are rows of objects

	mu     sync.RWMutex // of what follows
	packs  map[string]*pack.Pack
	tidied int // packs that were left when superfluous ones were removed last
}

// copyOf returns the copy of a repository in its epoch. For an epoch that has passed it can be one
// of a later epoch, which has everything that refs reach.
func (s *Storage) copyOf(r Repository) (*workCopy, error) {
	root, err := s.root()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	latest := s.copies[r.ID]
	if latest == nil || latest.epoch < r.GCEpoch {
		latest = &workCopy{
			storage: s, repository: r.ID, epoch: r.GCEpoch, packs: map[string]*pack.Pack{}, older: latest,
			dir: filepath.Join(root, fmt.Sprintf("%d.%d", r.ID, r.GCEpoch)),
		}
		s.copies[r.ID] = latest
	}
	for c := latest; c != nil; c = c.older {
		if c.epoch == r.GCEpoch {
			return c, nil
		}
	}
	return latest, nil
}

func (c *workCopy) close() (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.packs {
		err = errors.Join(err, p.Close())
	}
	clear(c.packs)
	return err
}

// read returns an object from the packs that are on disk.
func (c *workCopy) read(id object.ID) (object.Object, bool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	p := c.find(id)
	if p == nil {
		return object.Object{}, false, nil
	}
	o, err := p.Read(id, c.storage.maxObject)
	return o, err == nil, err
}

// find returns a pack on disk that has an object, nil if none does. The caller holds mu.
func (c *workCopy) find(id object.ID) *pack.Pack { return findIn(maps.Values(c.packs), id) }

// findIn returns the first of packs that has an object, nil if none does.
func findIn(packs iter.Seq[*pack.Pack], id object.ID) *pack.Pack {
	for p := range packs {
		if _, ok := p.Find(id); ok {
			return p
		}
	}
	return nil
}

// storedPack is a row of packs.
type storedPack struct {
	ID    int64     `db:"id"`
	Hash  object.ID `db:"hash"`
	Pack  int64     `db:"pack"`
	Index int64     `db:"index"`
}

// fetchPacks brings the packs to disk that were linked since the last time.
func (c *workCopy) fetchPacks(ctx context.Context, st *db.Store) error {
	return st.Tx(ctx, func(st *db.Store) error { return c.readPacks(ctx, st) })
}

// readPacks is fetchPacks in a transaction, for the reason that sharedHistory.read gives.
func (c *workCopy) readPacks(ctx context.Context, st *db.Store) error {
	c.filling.Lock()
	defer c.filling.Unlock()
	since, err := oldestOpen(ctx, st)
	if err != nil {
		return err
	}
	rows, err := db.Many[storedPack](ctx, st, `
		select p.id, p.hash, p.pack, p.index from repository_packs l join packs p on p.id = l.pack_id
		where l.repository_id = @repository and l.written_by >= @since::bigint::text::xid8
			and l.written_by`+isForeign,
		pgx.NamedArgs{"repository": c.repository, "since": c.sincePacks})
	if err != nil {
		return err
	}
	for _, p := range rows {
		if err := c.fetchPack(ctx, st, p); err != nil {
			return fmt.Errorf("pack %d of repository %d: %w", p.ID, c.repository, err)
		}
	}
	c.sincePacks = since
	return nil
}

func (c *workCopy) fetchPack(ctx context.Context, st *db.Store, p storedPack) error {
	name := c.packName(p.Hash)
	if c.has(name) {
		return nil
	}
	if err := c.prepare(); err != nil {
		return err
	}
	for _, f := range []struct {
		ext  string
		blob int64
	}{{".pack", p.Pack}, {".idx", p.Index}} { // git sees a pack by its index
		if c.linkOlder(name + f.ext) {
			continue
		}
		if err := fetchFile(ctx, st, name+f.ext, f.blob); err != nil {
			return err
		}
	}
	return c.open(name)
}

// linkOlder makes a file of the copy of another epoch one of this copy as well, and reports whether
// there is one.
func (c *workCopy) linkOlder(name string) bool {
	others, err := filepath.Glob(filepath.Join(filepath.Dir(c.dir), fmt.Sprint(c.repository, ".*"), "objects", "pack",
		filepath.Base(name)))
	return err == nil && len(others) > 0 && os.Link(others[0], name) == nil
}

func (c *workCopy) has(name string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.packs[name] != nil
}

// open adds a pack on disk to those that objects are read from.
func (c *workCopy) open(name string) error {
	p, err := pack.Open(name+".pack", name+".idx", pack.WithCache(c.storage.bases))
	if err != nil {
		return err
	}
	c.add(name, p)
	return nil
}

func (c *workCopy) add(name string, p *pack.Pack) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.packs[name]; old != nil {
		_ = old.Close()
	}
	c.packs[name] = p
}

// fetchFile writes content to a file, which is there as a whole or not at all.
func fetchFile(ctx context.Context, st *db.Store, name string, id int64) error {
	ref, err := blob.Load(ctx, st, id)
	if err != nil {
		return err
	}
	content, err := blob.Open(ctx, st, ref, 0)
	if err != nil {
		return err
	}
	defer content.Close()
	return writeWhole(name, func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	})
}

// writeWhole writes a file under another name and renames it.
func writeWhole(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return err
	}
	err = write(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
