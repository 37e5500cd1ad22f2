package code

import (
	"context"

	"hew/server/db"
)

// lend returns the copy of the repository, brought up to date for the git program. It stays on disk
// until giveBack.
func (g *Git) lend(ctx context.Context) (*workCopy, error) {
	c, err := g.storage.copyOf(g.ID)
	if err != nil {
		return nil, err
	}
	c.used.RLock()
	c.touch()
	if err := c.fill(ctx, g.st); err != nil {
		c.used.RUnlock()
		return nil, err
	}
	return c, nil
}

// giveBack ends what lend began.
func (c *workCopy) giveBack() { c.used.RUnlock() }

// fetch brings packs to disk that were linked since the last time.
func (c *workCopy) fetch(ctx context.Context, st *db.Store) error {
	c.used.RLock()
	c.touch()
	defer c.used.RUnlock()
	return c.fetchPacks(ctx, st)
}
