package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// errExchanged says that another job has exchanged the packs or rows that this one has read.
var errExchanged = errors.New("objects of the repository were exchanged meanwhile")

// packLooseRows makes a pack of the rows of objects if there are many.
func (s *Storage) packLooseRows(ctx context.Context, st *db.Store, repository int64) error {
	ids, err := looseIDs(ctx, st, repository)
	if err != nil || len(ids) <= maxLoose {
		return err
	}
	err = s.inTemporary("repack-", func(dir string) error { return packRows(ctx, st, repository, ids, dir) })
	if errors.Is(err, errRepacked) || errors.Is(err, errExchanged) {
		return nil
	}
	return err
}

// looseIDs returns which objects of a repository are rows.
func looseIDs(ctx context.Context, st *db.Store, repository int64) ([]object.ID, error) {
	return db.Values[object.ID](ctx, st, `
		select l.oid from loose_objects l where l.repository_id = @repository order by l.oid`,
		pgx.NamedArgs{"repository": repository})
}

// inTemporary calls do with a directory that it removes afterwards.
func (s *Storage) inTemporary(prefix string, do func(dir string) error) error {
	root, err := s.root()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(root, prefix)
	if err != nil {
		return err
	}
	return errors.Join(do(dir), os.RemoveAll(dir))
}

// packRows makes a pack of rows of objects, which it removes. No object is lost meanwhile, so that
// pushes need not wait.
func packRows(ctx context.Context, st *db.Store, repository int64, ids []object.ID, dir string) error {
	name, err := writePack(dir, func(w io.Writer) ([20]byte, []byte, error) {
		return pack.Write(w, len(ids), looseRows(ctx, st, repository, ids))
	})
	if err != nil {
		return err
	}
	return replaceBy(ctx, st, repository, name, func(st *db.Store) error {
		return removeLoose(ctx, st, repository, ids)
	})
}

// replaceBy stores a pack on disk and links it in place of what remove removes.
func replaceBy(
	ctx context.Context, st *db.Store, repository int64, name string, remove func(*db.Store) error,
) error {
	stored, err := storePack(ctx, st, name)
	if err != nil {
		return err
	}
	return exchange(ctx, st, repository, func(st *db.Store) error {
		if err := remove(st); err != nil {
			return err
		}
		return stored.link(ctx, st, repository, nil)
	})
}

// exchange runs do in a transaction that excludes other ones of this kind, but no pushes.
func exchange(ctx context.Context, st *db.Store, repository int64, do func(*db.Store) error) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exec(ctx, `select from repositories where id = @id for no key update`,
			pgx.NamedArgs{"id": repository}); err != nil {
			return err
		}
		return do(st)
	})
}

// removeLoose removes rows of objects, which all must be there still.
func removeLoose(ctx context.Context, st *db.Store, repository int64, ids []object.ID) error {
	n, err := st.Affected(ctx, `delete from loose_objects where repository_id = @repository and oid = any(@oids)`,
		pgx.NamedArgs{"repository": repository, "oids": rawIDs(ids)})
	if err == nil && n != int64(len(ids)) {
		err = errExchanged
	}
	return err
}

// joinPacks joins small packs of a repository until each pack has at least twice as many objects as
// all smaller ones together, as git repack --geometric does: the number of packs then grows with
// the logarithm of the number of objects.
func (s *Storage) joinPacks(ctx context.Context, st *db.Store, repository int64) error {
	g, err := loadRepository(ctx, st, repository)
	if err != nil || s.git == nil {
		return err
	}
	packs, err := linkedPacks(ctx, st, repository)
	if err != nil {
		return err
	}
	packs = slices.DeleteFunc(packs, func(p linkedPack) bool { return p.Unreachable != nil })
	packs = packs[:countSmall(packs)]
	if len(packs) < 2 {
		return nil
	}
	c, err := g.lend(ctx)
	if err != nil {
		return err
	}
	defer c.giveBack()
	var ids bytes.Buffer
	for _, p := range packs {
		for id := range c.idsOf(p.Hash) {
			fmt.Fprintln(&ids, id)
		}
	}
	err = s.inTemporary("repack-", func(dir string) error {
		name, err := c.packObjects(ctx, dir, &ids)
		if err != nil {
			return err
		}
		return replaceBy(ctx, st, repository, name, func(st *db.Store) error {
			return unlink(ctx, st, repository, packs)
		})
	})
	if errors.Is(err, errExchanged) {
		return nil
	}
	return err
}

// countSmall returns how many packs, which are ordered by their objects, are to be joined.
func countSmall(packs []linkedPack) int {
	n := 0
	for i := 1; i < len(packs); i++ {
		if packs[i].Objects < 2*packs[i-1].Objects {
			n = i + 1
		}
	}
	total := 0
	for _, p := range packs[:n] {
		total += p.Objects
	}
	for n > 0 && n < len(packs) && packs[n].Objects < 2*total {
		total += packs[n].Objects
		n++
	}
	return n
}
