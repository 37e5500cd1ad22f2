package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/exec"
	"hew/server/git/graph"
	"hew/server/git/object"
	"hew/server/project"
	"hew/server/tree"
)

// NewFork is a fork to be made.
type NewFork struct {
	Parent   tree.Project
	By       tree.User
	Branches []string // nil: all branches and tags

	// Project returns the project to be created, as project.NewFork makes it. It is called before
	// the content is collected, to refuse early, and in the transaction that creates the project.
	Project func(context.Context, *db.Store) (tree.Project, error)
}

// Fork creates a fork of a project: the project, its repository and its links to large files. The
// store must be bound to the pool. See "What a fork gets" in the package comment.
func Fork(ctx context.Context, st *db.Store, n NewFork) (p tree.Project, err error) {
	if _, err := n.Project(ctx, st); err != nil {
		return p, err
	}
	for range 3 {
		if p, err = n.fork(ctx, st); !errors.Is(err, errExchanged) {
			return p, err
		}
	}
	return p, fault.Unavailable().Because(err)
}

func (n NewFork) fork(ctx context.Context, st *db.Store) (p tree.Project, err error) {
	content, err := n.read(ctx, st)
	if err != nil {
		return p, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if p, err = n.Project(ctx, st); err != nil {
			return err
		}
		if p, err = project.CreateFork(ctx, st, p, n.By); err != nil {
			return err
		}
		if err := linkLFSObjects(ctx, st, n.Parent.ID, p.ID); err != nil {
			return err
		}
		if content != nil {
			if err := content.fill(ctx, st, p); err != nil {
				return err
			}
		}
		p, err = tree.FindProject(ctx, st, p.ID)
		return err
	})
	return p, err
}

// forkContent is what a fork gets of the repository of its parent.
type forkContent struct {
	*Git    // of the parent
	refs    []Ref
	commits []object.ID // that refs reach

	pack  *packFiles   // with exactly the objects that refs reach; nil: they are the following
	packs []linkedPack // of the parent
	loose []object.ID
}

// read collects the content for a fork; nil if there is none.
func (n NewFork) read(ctx context.Context, st *db.Store) (*forkContent, error) {
	g, err := Open(ctx, st, n.Parent)
	if err != nil || g.ID == 0 {
		return nil, err
	}
	f := &forkContent{Git: g}
	// Rows first: what a job packs in between is in both lists, and never in none.
	if f.loose, err = looseIDs(ctx, st, g.ID); err != nil {
		return nil, err
	}
	if f.packs, err = linkedPacks(ctx, st, g.ID); err != nil {
		return nil, err
	}
	if f.refs, err = n.choose(ctx, g); err != nil || len(f.refs) == 0 {
		return nil, err
	}
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	f.commits = slices.Collect(h.ids(h.Log(commitsOf(f.refs), graph.Options{})))
	c, err := g.lend(ctx)
	if err != nil {
		return nil, err
	}
	defer c.giveBack()
	whole := n.Branches == nil && len(f.commits) == h.Len()
	if whole {
		whole, err = f.hasOnlyReached(ctx, c)
	}
	if err != nil || whole {
		return f, err
	}
	f.packs, f.loose = nil, nil
	return f, g.storage.inTemporary("fork-", func(dir string) error {
		name, err := c.packObjects(ctx, dir, f.tips(), "--revs")
		if err != nil {
			return err
		}
		files, err := storePack(ctx, st, name)
		f.pack = &files
		return err
	})
}

// choose returns the refs that the fork gets.
func (n NewFork) choose(ctx context.Context, g *Git) ([]Ref, error) {
	if n.Branches == nil {
		return g.Refs(ctx, g.st, Heads, Tags)
	}
	var refs []Ref
	for _, name := range n.Branches {
		ref, err := g.FindRef(ctx, g.st, "Branch", Heads+name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(refs, func(r Ref) bool { return r.Name == ref.Name }) {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

func (f *forkContent) tips() *bytes.Buffer {
	var tips bytes.Buffer
	for _, r := range f.refs {
		fmt.Fprintln(&tips, r.ID)
	}
	return &tips
}

// hasOnlyReached reports whether the refs reach every object of the repository, so that all of its
// packs and rows can be shared.
func (f *forkContent) hasOnlyReached(ctx context.Context, c *workCopy) (bool, error) {
	if f.storage.git == nil {
		return false, errNoGit
	}
	all := map[object.ID]struct{}{}
	for _, id := range f.loose {
		all[id] = struct{}{}
	}
	for _, p := range f.packs {
		if p.Unreachable != nil {
			return false, nil
		}
		for id := range c.idsOf(p.Hash) {
			all[id] = struct{}{}
		}
	}
	missing := false // an object that came after packs and rows were read
	err := f.storage.git.Run(ctx, exec.Command{
		Dir: c.dir, Args: []string{"rev-list", "--objects", "--no-object-names", "--stdin"}, Stdin: f.tips(),
		Stdout: &idReader{each: func(id object.ID) {
			_, ok := all[id]
			missing = missing || !ok
			delete(all, id)
		}}, Heavy: true, Timeout: receiveTimeout,
	})
	return !missing && len(all) == 0, err
}

// linkLFSObjects gives a project the large files of another one.
func linkLFSObjects(ctx context.Context, st *db.Store, from, to int64) error {
	return st.Exec(ctx, `
		insert into lfs_objects (project_id, blob_id)
		select @to, l.blob_id from lfs_objects l where l.project_id = @from`, pgx.NamedArgs{"from": from, "to": to})
}
