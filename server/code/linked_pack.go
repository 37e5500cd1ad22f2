package code

import (
	"context"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// packFiles is a pack whose content is stored.
type packFiles struct {
	hash        object.ID
	objects     int
	size        int64
	pack, index blob.Ref
}

// storePack stores the content of a pack on disk, whose name has no extension.
func storePack(ctx context.Context, st *db.Store, name string) (f packFiles, err error) {
	p, err := pack.Open(name+".pack", name+".idx")
	if err != nil {
		return f, err
	}
	f.objects, f.size = p.Len(), p.Size()
	if err := p.Close(); err != nil {
		return f, err
	}
	if f.hash, err = object.ParseID(name[len(name)-2*object.IDSize:]); err != nil {
		return f, err
	}
	if f.pack, err = putFile(ctx, st, name+".pack"); err != nil {
		return f, err
	}
	f.index, err = putFile(ctx, st, name+".idx")
	return f, err
}

// putFile stores the content of a file.
func putFile(ctx context.Context, st *db.Store, name string) (blob.Ref, error) {
	f, err := os.Open(name)
	if err != nil {
		return blob.Ref{}, err
	}
	defer f.Close()
	return blob.Put(ctx, st, f, blob.NoLimit)
}

// link adds the pack to a repository. Since is when its objects were found unreachable, nil for
// others.
func (f packFiles) link(ctx context.Context, st *db.Store, repository int64, since *time.Time) error {
	return st.Exec(ctx, `
		with stored as (
			insert into packs (hash, objects, size, pack, index) values (@hash, @objects, @size, @pack, @index)
			returning id)
		insert into repository_packs (repository_id, pack_id, unreachable_since)
		select @repository, id, @since from stored`, pgx.NamedArgs{
		"repository": repository, "since": since, "hash": f.hash, "objects": f.objects, "size": f.size,
		"pack": f.pack.ID, "index": f.index.ID,
	})
}

// linkedPack is a pack of a repository.
type linkedPack struct {
	ID          int64      `db:"pack_id"`
	Hash        object.ID  `db:"hash"`
	Objects     int        `db:"objects"`
	Unreachable *time.Time `db:"unreachable_since"` // when its objects were found unreachable; nil for others
}

func linkedPacks(ctx context.Context, st *db.Store, repository int64) ([]linkedPack, error) {
	return db.Many[linkedPack](ctx, st, `
		select l.pack_id, p.hash, p.objects, l.unreachable_since
		from repository_packs l join packs p on p.id = l.pack_id where l.repository_id = @repository
		order by p.objects, l.pack_id`, pgx.NamedArgs{"repository": repository})
}

// unlink takes packs from a repository, which must link them all still. Other repositories may link
// them, too.
func unlink(ctx context.Context, st *db.Store, repository int64, packs []linkedPack) error {
	ids := make([]int64, len(packs))
	for i, p := range packs {
		ids[i] = p.ID
	}
	n, err := st.Affected(ctx, `delete from repository_packs where repository_id = @repository and pack_id = any(@ids)`,
		pgx.NamedArgs{"repository": repository, "ids": ids})
	if err == nil && n != int64(len(ids)) {
		err = errExchanged
	}
	return err
}

// packObjects has git write a pack into a directory, with the objects that the input names. It
// returns the name of its files without their endings.
func (c *workCopy) packObjects(ctx context.Context, dir string, input io.Reader, flags ...string) (string, error) {
	out, err := c.storage.git.Output(ctx, exec.Command{
		Dir: c.dir, Stdin: input, Heavy: true, Timeout: receiveTimeout,
		Args: append(append([]string{"pack-objects", "-q", "--delta-base-offset"}, flags...), dir+"/pack"),
	}, 1<<10)
	return dir + "/pack-" + strings.TrimSpace(string(out)), err
}

// idsOf returns the objects of a pack by its hash; none if it is not on disk.
func (c *workCopy) idsOf(hash object.ID) iter.Seq[object.ID] {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if p := c.packs[c.packName(hash)]; p != nil {
		return p.IDs()
	}
	return func(func(object.ID) bool) {}
}
