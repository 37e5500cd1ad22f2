package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// garbageGrace is how long objects are kept after they were found unreachable.
const garbageGrace = 14 * 24 * time.Hour

// collection is one garbage collection. What it reads first is exchanged in the end: packs and
// rows. What comes meanwhile is not touched.
type collection struct {
	*Git
	copy  *workCopy
	dir   string // for new packs
	until time.Time
	grace time.Duration

	since int64       // what transactions before it wrote was there when the collection began
	known []object.ID // commits of later ones that were there, too
	packs []linkedPack
	loose []object.ID
	refs  []Ref // read after packs and loose, and so reach all that has a use in them

	live, garbage *writtenPack           // objects that refs reach, and those that are kept for a while; nil: none
	gone          map[object.ID]struct{} // objects that are removed
	stay          map[int64]bool         // packs of garbage whose time is not over
}

// writtenPack is a pack that a collection has written.
type writtenPack struct {
	*pack.Pack
	name  string    // on disk, without extension
	files packFiles // once stored
}

func (p *writtenPack) has(id object.ID) bool {
	if p == nil {
		return false
	}
	_, ok := p.Find(id)
	return ok
}

// collect removes the objects of a repository that no ref reaches, after a time of grace. If refs
// begin to reach them meanwhile, or another job exchanges packs, it starts again; where that goes
// on it leaves the rest to the next time.
func (s *Storage) collect(ctx context.Context, st *db.Store, repository int64, grace time.Duration) error {
	if s.git == nil {
		return nil
	}
	for range 3 {
		g, err := loadRepository(ctx, st, repository)
		if err != nil {
			return err
		}
		err = g.collectOnce(ctx, grace)
		if !errors.Is(err, errExchanged) {
			return err
		}
	}
	return nil
}

func (g *Git) collectOnce(ctx context.Context, grace time.Duration) (err error) {
	c := &collection{
		Git: g, grace: grace, until: time.Now().Add(-grace), gone: map[object.ID]struct{}{}, stay: map[int64]bool{},
	}
	if err := c.read(ctx); err != nil {
		return err
	}
	if c.copy, err = g.lend(ctx); err != nil {
		return err
	}
	defer c.copy.giveBack()
	if c.dir, err = os.MkdirTemp(c.copy.dir, "gc-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close(), os.RemoveAll(c.dir)) }()
	needed, err := c.sort(ctx)
	if err != nil {
		return err
	}
	if !needed {
		return c.note(ctx)
	}
	if err := c.store(ctx); err != nil {
		return err
	}
	if g.storage.beforeExchange != nil {
		g.storage.beforeExchange()
	}
	if err := g.st.Tx(ctx, func(tx *db.Store) error { return c.exchange(ctx, tx) }); err != nil {
		return err
	}
	return errors.Join(c.note(ctx), removeUnlinkedPacks(ctx, g.st))
}

func (c *collection) close() (err error) {
	for _, p := range []*writtenPack{c.live, c.garbage} {
		if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	return err
}

func (c *collection) read(ctx context.Context) (err error) {
	if c.since, err = oldestOpen(ctx, c.st); err != nil {
		return err
	}
	if c.known, err = c.commitsSince(ctx, c.st); err != nil {
		return err
	}
	if c.packs, err = linkedPacks(ctx, c.st, c.ID); err != nil {
		return err
	}
	if c.loose, err = looseIDs(ctx, c.st, c.ID); err != nil {
		return err
	}
	c.refs, err = c.Refs(ctx, c.st)
	return err
}

// sort finds out what refs reach, and what becomes of the rest. It reports whether anything is to
// be exchanged.
func (c *collection) sort(ctx context.Context) (needed bool, err error) {
	if len(c.refs) > 0 {
		var tips bytes.Buffer
		for _, r := range c.refs {
			fmt.Fprintln(&tips, r.ID)
		}
		if c.live, err = c.write(ctx, &tips); err != nil {
			return false, err
		}
	}
	found := map[object.ID]struct{}{} // unreachable, for the first time
	for _, id := range c.loose {
		if !c.live.has(id) {
			found[id] = struct{}{}
		}
	}
	for _, p := range c.packs {
		for id := range c.copy.idsOf(p.Hash) {
			switch {
			case c.live.has(id):
			case p.Unreachable == nil:
				found[id] = struct{}{}
			case p.Unreachable.Before(c.until) || c.grace == 0:
				c.gone[id] = struct{}{}
				needed = true
			default:
				c.stay[p.ID] = true
			}
		}
		needed = needed || p.Unreachable != nil && !c.stay[p.ID]
	}
	needed = needed || len(found) > 0
	if c.grace == 0 {
		for id := range found {
			c.gone[id] = struct{}{}
		}
		return needed, nil
	}
	return needed, c.keep(ctx, found)
}

// keep packs garbage that was found for the first time, with everything that it reaches: where a
// commit is kept, its parents are.
func (c *collection) keep(ctx context.Context, found map[object.ID]struct{}) (err error) {
	if len(found) > 0 {
		var tips bytes.Buffer
		for id := range found {
			fmt.Fprintln(&tips, id)
		}
		for _, r := range c.refs {
			fmt.Fprintf(&tips, "^%s\n", r.ID)
		}
		if c.garbage, err = c.write(ctx, &tips); err != nil {
			return err
		}
	}
	for id := range c.gone {
		if c.garbage.has(id) {
			delete(c.gone, id)
		}
	}
	for _, p := range c.packs {
		if c.stay[p.ID] {
			for id := range c.copy.idsOf(p.Hash) {
				delete(c.gone, id)
			}
		}
	}
	return nil
}

// write has git pack what can be reached from objects.
func (c *collection) write(ctx context.Context, tips *bytes.Buffer) (*writtenPack, error) {
	name, err := c.copy.packObjects(ctx, c.dir, tips, "--revs")
	if err != nil {
		return nil, err
	}
	p, err := pack.Open(name+".pack", name+".idx")
	if err != nil {
		return nil, err
	}
	return &writtenPack{Pack: p, name: name}, nil
}

// store puts the new packs into the database, where nothing uses them yet.
func (c *collection) store(ctx context.Context) error {
	for _, p := range []*writtenPack{c.live, c.garbage} {
		if p == nil || p.Len() == 0 {
			continue
		}
		files, err := storePack(ctx, c.st, p.name)
		if err != nil {
			return err
		}
		p.files = files
	}
	return nil
}

// note writes when garbage was collected, and how many commits of it are left.
func (c *collection) note(ctx context.Context) error {
	g, err := loadRepository(ctx, c.st, c.ID)
	if err != nil {
		return err
	}
	n, err := g.countUnreachable(ctx)
	if err != nil {
		return err
	}
	return c.st.Exec(ctx, `update repositories set collected_at = @now, unreachable_commits = @n where id = @id`,
		pgx.NamedArgs{"id": c.ID, "n": n, "now": time.Now()})
}
