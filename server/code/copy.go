package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
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
type workCopy struct {
	storage    *Storage
	repository int64
	dir        string

	used       sync.RWMutex // read-locked while somebody needs the directory; locked to remove it
	usedAt     atomic.Int64 // when it was used last, in nanoseconds
	filling    sync.Mutex   // of what follows, while it is written to disk
	sincePacks int64        // packs linked by earlier transactions are here
	sinceLoose int64        // and so are rows of objects

	mu    sync.RWMutex // of packs
	packs map[string]*pack.Pack
}

func (s *Storage) copyOf(repository int64) (*workCopy, error) {
	root, err := s.root()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.copies[repository]
	if c == nil {
		c = &workCopy{
			storage: s, repository: repository, packs: map[string]*pack.Pack{},
			dir: filepath.Join(root, strconv.FormatInt(repository, 10)),
		}
		s.copies[repository] = c
	}
	return c, nil
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
	for _, p := range c.packs {
		if _, ok := p.Find(id); !ok {
			continue
		}
		o, err := p.Read(id, maxObject)
		return o, err == nil, err
	}
	return object.Object{}, false, nil
}

// storedPack is a row of packs.
type storedPack struct {
	ID    int64  `db:"id"`
	Hash  []byte `db:"hash"`
	Pack  int64  `db:"pack"`
	Index int64  `db:"index"`
}

// fetchPacks brings the packs to disk that were linked since the last time.
func (c *workCopy) fetchPacks(ctx context.Context, st *db.Store) error {
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
	name := filepath.Join(c.dir, "objects", "pack", fmt.Sprintf("pack-%x", p.Hash))
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
		if err := fetchFile(ctx, st, name+f.ext, f.blob); err != nil {
			return err
		}
	}
	return c.open(name)
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

// bareConfig makes git serve any object of a repository by its id: refs are ours to show. A pack
// that was received is content-addressed, and nobody else writes here.
const bareConfig = `[core]
	repositoryformatversion = 0
	bare = true
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[pack]
	threads = 1
	writeBitmapLookupTable = false
[gc]
	auto = 0
`

// prepare makes the directory of the repository.
func (c *workCopy) prepare() error {
	if _, err := os.Stat(filepath.Join(c.dir, "HEAD")); err == nil {
		return nil
	}
	for _, dir := range []string{"objects/pack", "objects/info", "refs"} {
		if err := os.MkdirAll(filepath.Join(c.dir, dir), 0o700); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"config": bareConfig, "HEAD": "ref: refs/heads/main\n"} {
		if err := writeWhole(filepath.Join(c.dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// size returns the size of an object in a pack that is on disk.
func (c *workCopy) size(id object.ID) (int64, bool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, p := range c.packs {
		if _, ok := p.Find(id); ok {
			_, size, err := p.Header(id)
			return size, err == nil, err
		}
	}
	return 0, false, nil
}
