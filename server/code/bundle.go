package code

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"hew/server/db"
	"hew/server/git/exec"
)

// bundleTimeout limits a bundle, whatever the size of its repository.
const bundleTimeout = 2 * time.Hour

// InTemporary calls do with a directory on the disk of the copies, and removes it afterwards. Those
// of a process that was killed go with its copies.
func InTemporary(st *db.Store, prefix string, do func(dir string) error) error {
	return storageOf(st).inTemporary(prefix, do)
}

// Bundle writes the repository of a place as a git bundle, with its hidden refs, to a new file. It
// reports whether there is one: git makes no bundle of an empty repository. The store must be bound
// to the pool.
func Bundle(ctx context.Context, st *db.Store, at Place, file string) (bool, error) {
	g, err := at.Open(ctx, st)
	if err != nil || g.ID == 0 {
		return false, err
	}
	refs, err := g.Refs(ctx, st, Heads, Tags, MergeRequests, KeepAround) // before the objects that they reach
	if err != nil || len(refs) == 0 {
		return false, err
	}
	if g.storage.git == nil {
		return false, errNoGit
	}
	c, err := g.lend(ctx)
	if err != nil {
		return false, err
	}
	defer c.giveBack()
	err = g.storage.inTemporary("bundle-", func(dir string) error {
		from := &workCopy{storage: g.storage, dir: dir} // refs of its own over the objects of the copy
		if err := from.prepare(); err != nil {
			return err
		}
		if err := from.writeRefs(refs); err != nil {
			return err
		}
		if err := writeWhole(filepath.Join(dir, "HEAD"), func(w io.Writer) error {
			_, err := io.WriteString(w, "ref: "+Heads+g.Head+"\n")
			return err
		}); err != nil {
			return err
		}
		return g.storage.git.Run(ctx, exec.Command{
			Dir: dir, Args: []string{"bundle", "create", "--quiet", file, "--all"}, Heavy: true, Timeout: bundleTimeout,
			Env: []string{alternates + filepath.Join(c.dir, "objects")},
		})
	})
	if err != nil {
		_ = os.Remove(file) // git leaves none; the caller removes the directory
	}
	return err == nil, err
}
