package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// fill brings everything to disk that the git program needs to serve the repository: packs, and
// objects that are rows.
func (c *workCopy) fill(ctx context.Context, st *db.Store) error {
	if err := c.forgetIfLost(); err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	err := c.fillOnce(ctx, st)
	if errors.Is(err, errRepacked) {
		err = c.fillOnce(ctx, st)
	}
	return err
}

// refetch brings packs to disk. A pack that was found can have been replaced before it was read.
func (c *workCopy) refetch(ctx context.Context, st *db.Store) error {
	err := c.fetchPacks(ctx, st)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = c.fetchPacks(ctx, st)
	}
	return err
}

// errRepacked says that objects are in a pack by now, and no longer rows.
var errRepacked = errors.New("the objects were repacked meanwhile")

// fillOnce brings rows first and packs after them: a repack in between has moved rows to a pack,
// and the other way round both would be missed.
func (c *workCopy) fillOnce(ctx context.Context, st *db.Store) error {
	if err := c.fetchLoose(ctx, st); err != nil {
		return err
	}
	return c.refetch(ctx, st)
}

// fetchLoose brings the objects to disk that became rows since the last time.
func (c *workCopy) fetchLoose(ctx context.Context, st *db.Store) error {
	return st.Tx(ctx, func(st *db.Store) error { return c.readLoose(ctx, st) })
}

// readLoose is fetchLoose in a transaction, for the reason that sharedHistory.read gives.
func (c *workCopy) readLoose(ctx context.Context, st *db.Store) error {
	c.filling.Lock()
	defer c.filling.Unlock()
	since, err := oldestOpen(ctx, st)
	if err != nil {
		return err
	}
	if err := c.packLoose(ctx, st); err != nil {
		return fmt.Errorf("objects of repository %d: %w", c.repository, err)
	}
	c.sinceLoose = since
	return nil
}

// forgetIfLost clears the copy if files of it are missing. Programs that clean up a disk may delete
// it.
func (c *workCopy) forgetIfLost() error {
	c.filling.Lock()
	defer c.filling.Unlock()
	lost := false
	c.mu.RLock()
	for name := range c.packs {
		for _, ext := range []string{".pack", ".idx"} {
			_, err := os.Stat(name + ext)
			lost = lost || err != nil
		}
	}
	c.mu.RUnlock()
	if !lost {
		return nil
	}
	c.sincePacks, c.sinceLoose = 0, 0
	return c.close()
}

// packLoose writes one pack with the rows of objects that came since the last time. Their bodies
// are those of a pack already. Many small packs would slow git down: a repack job keeps the rows
// few, and tidy removes the packs that were made of them.
func (c *workCopy) packLoose(ctx context.Context, st *db.Store) error {
	ids, err := db.Values[object.ID](ctx, st, `
		select l.oid from loose_objects l
		where l.repository_id = @repository and l.written_by >= @since::bigint::text::xid8
			and l.written_by`+isForeign+` order by l.oid`,
		pgx.NamedArgs{"repository": c.repository, "since": c.sinceLoose})
	if err != nil {
		return err
	}
	missing := ids[:0]
	for _, id := range ids {
		if !c.contains(id) {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return c.addPack(func(w io.Writer) ([20]byte, []byte, error) {
		return pack.Write(w, len(missing), looseRows(ctx, st, c.repository, missing))
	})
}

func (c *workCopy) contains(id object.ID) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.find(id) != nil
}

// looseRows returns the rows of objects, a hundred at a time: a body can be large.
func looseRows(
	ctx context.Context, st *db.Store, repository int64, ids []object.ID,
) iter.Seq2[pack.Loose, error] {
	const batch = 100
	return func(yield func(pack.Loose, error) bool) {
		for len(ids) > 0 {
			n := min(batch, len(ids))
			rows, err := db.Many[looseObject](ctx, st, selectLoose+` and l.oid = any(@oids)`,
				pgx.NamedArgs{"repository": repository, "oids": rawIDs(ids[:n])})
			if err == nil && len(rows) != n {
				err = fmt.Errorf("%d of %d rows: %w", n-len(rows), n, errRepacked)
			}
			if err != nil {
				yield(pack.Loose{}, err)
				return
			}
			for _, l := range rows {
				if !yield(pack.Loose{ID: l.ID, Kind: l.Kind, Size: l.Size, Body: l.Body}, nil) {
					return
				}
			}
			ids = ids[n:]
		}
	}
}

// addPack writes a pack into the copy and opens it.
func (c *workCopy) addPack(write func(io.Writer) ([20]byte, []byte, error)) error {
	name, err := writePack(filepath.Join(c.dir, "objects", "pack"), write)
	if err != nil {
		return err
	}
	return c.open(name)
}

// writePack writes a pack, which write returns the name and the index of, into a directory. It
// returns the name of its files without their endings.
func writePack(dir string, write func(io.Writer) ([20]byte, []byte, error)) (string, error) {
	var hash [20]byte
	var index []byte
	temporary := filepath.Join(dir, "loose.tmp")
	err := writeWhole(temporary, func(w io.Writer) (err error) {
		hash, index, err = write(w)
		return err
	})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, fmt.Sprintf("pack-%x", hash))
	if err := os.Rename(temporary, name+".pack"); err != nil {
		return "", err
	}
	return name, writeWhole(name+".idx", func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(index))
		return err
	})
}

// writeRefs writes the refs of the database into the copy. git needs them for the few requests that
// it resolves names for: fetch --deepen and --shallow-exclude.
func (c *workCopy) writeRefs(refs []Ref) error {
	return writeWhole(filepath.Join(c.dir, "packed-refs"), func(w io.Writer) error {
		text := bytes.NewBufferString("# pack-refs with: peeled fully-peeled sorted \n")
		for _, r := range refs {
			fmt.Fprintf(text, "%s %s\n", r.ID, r.Name)
			if !r.Peeled.IsZero() {
				fmt.Fprintf(text, "^%s\n", r.Peeled)
			}
		}
		_, err := w.Write(text.Bytes())
		return err
	})
}
