package code

import "context"

// borrow returns the copy of the repository, which stays on disk until giveBack.
func (g *Git) borrow() (*workCopy, error) {
	for {
		c, err := g.storage.copyOf(g.Repository)
		if err != nil {
			return nil, err
		}
		c.used.RLock()
		if !c.retired {
			c.touch()
			return c, nil
		}
		c.used.RUnlock() // and its successor is in its place
	}
}

// lend returns the copy of the repository, brought up to date for the git program. It stays on disk
// until giveBack.
func (g *Git) lend(ctx context.Context) (*workCopy, error) {
	if err := g.tidy(ctx); err != nil {
		return nil, err
	}
	c, err := g.borrow()
	if err != nil {
		return nil, err
	}
	if err = c.fill(ctx, g.st); err == nil {
		err = c.retireOlder()
	}
	if err != nil {
		c.giveBack()
		return nil, err
	}
	return c, nil
}

// giveBack ends what lend and borrow began.
func (c *workCopy) giveBack() { c.used.RUnlock() }

// fetch brings packs to disk that were linked since the last time, and returns the copy.
func (g *Git) fetch(ctx context.Context) (*workCopy, error) {
	c, err := g.borrow()
	if err != nil {
		return nil, err
	}
	defer c.giveBack()
	return c, c.refetch(ctx, g.st)
}
