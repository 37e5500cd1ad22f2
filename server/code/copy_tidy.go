package code

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
)

// tidyPacks is the number of packs in a copy from which on it is looked for superfluous ones: those
// that were joined since, and those that were made of rows.
const tidyPacks = 30

// tidy removes the superfluous packs of a copy that has many. It does nothing while somebody uses
// the copy.
func (g *Git) tidy(ctx context.Context) error {
	c, err := g.storage.copyOf(g.Repository)
	if err != nil {
		return err
	}
	c.mu.RLock()
	many := len(c.packs) > max(tidyPacks, 2*c.tidied)
	c.mu.RUnlock()
	if !many {
		return nil
	}
	return g.st.Tx(ctx, func(st *db.Store) error { // for the reason that sharedHistory.read gives
		if !c.used.TryLock() {
			return nil
		}
		defer c.used.Unlock()
		return c.removeUnlinked(ctx, st)
	})
}

// removeUnlinked removes the packs that the repository does not link. The caller has locked used.
func (c *workCopy) removeUnlinked(ctx context.Context, st *db.Store) (err error) {
	c.filling.Lock()
	defer c.filling.Unlock()
	hashes, err := db.Values[object.ID](ctx, st, `
		select p.hash from repository_packs l join packs p on p.id = l.pack_id where l.repository_id = @repository`,
		pgx.NamedArgs{"repository": c.repository})
	if err != nil {
		return err
	}
	linked := make(map[string]bool, len(hashes))
	for _, hash := range hashes {
		linked[c.packName(hash)] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, p := range c.packs {
		if !linked[name] {
			err = errors.Join(err, p.Close(), os.Remove(name+".idx"), os.Remove(name+".pack"))
			delete(c.packs, name)
		}
	}
	c.sinceLoose, c.tidied = 0, len(c.packs)
	return err
}

// packName returns the name of a pack's files, without their endings.
func (c *workCopy) packName(hash object.ID) string {
	return filepath.Join(c.dir, "objects", "pack", fmt.Sprintf("pack-%s", hash))
}
