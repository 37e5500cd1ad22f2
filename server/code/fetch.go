package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// fetched is what a repository gets from another one of its network.
type fetched struct {
	commits []freshCommit // parents first
	epoch   int64         // of the repository that gets them, when they were found missing
	small   []object.Object
	pack    *packFiles // unless they are small
}

// FetchCommits gives a project a commit of another one of its fork network, with everything that it
// reaches and the project lacks. Nothing happens if it is there. The store should be bound to the
// pool: other transactions, and this one, can read the commits once they are committed. They are
// garbage until a ref reaches them, so set a hidden ref or make a landing soon. The error is a fault of
// CodeTooLarge if they are more than the setting receive_max_input_size.
func FetchCommits(ctx context.Context, st *db.Store, into, from tree.Project, id object.ID) error {
	for range 3 {
		err := fetchCommits(ctx, st, into, from, id)
		if !errors.Is(err, errExchanged) {
			return err
		}
	}
	return fault.Unavailable().Because(errExchanged)
}

func fetchCommits(ctx context.Context, st *db.Store, into, from tree.Project, id object.ID) error {
	source, err := Open(ctx, st, from)
	if err != nil {
		return err
	}
	target, err := Open(ctx, st, into)
	if err != nil || target.ID == source.ID {
		return err
	}
	f, err := target.missing(ctx, source, id)
	if err != nil || f == nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, into)
		if err != nil {
			return err
		}
		if g.GCEpoch != f.epoch { // a parent of the commits may be gone
			return errExchanged
		}
		if f.pack != nil {
			err = f.pack.link(ctx, st, g.ID, nil)
		} else {
			err = g.storeLoose(ctx, f.small)
		}
		if err != nil {
			return err
		}
		source, err := Open(ctx, st, from) // as the transaction sees it
		if err != nil {
			return err
		}
		if err := g.indexFrom(ctx, source, f.commits); err != nil {
			return err
		}
		if err := g.checkSize(ctx); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, Housekeeping{RepositoryID: g.ID})
	})
}

// missing collects what a commit of the source reaches and g lacks; nil if it lacks nothing.
func (g *Git) missing(ctx context.Context, source *Git, id object.ID) (*fetched, error) {
	f := &fetched{epoch: g.GCEpoch}
	tips, err := f.find(ctx, g, source, id)
	if err != nil || len(f.commits) == 0 {
		return nil, err
	}
	settings, err := setting.Read(ctx, g.st)
	if err != nil {
		return nil, err
	}
	lent, err := source.lend(ctx)
	if err != nil {
		return nil, err
	}
	defer lent.giveBack()
	return f, g.storage.inTemporary("fetch-", func(dir string) error {
		name, err := lent.packObjects(ctx, dir, tips, "--revs")
		if err != nil {
			return err
		}
		return f.take(ctx, g, name, int64(settings.ReceiveMaxInputSize)<<20)
	})
}

// find lists the commits that g lacks. It returns them as git takes them: the commit, and those that
// both have next to them.
func (f *fetched) find(ctx context.Context, g, source *Git, id object.ID) (*bytes.Buffer, error) {
	ours, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := source.History(ctx)
	if err != nil {
		return nil, err
	}
	if ours.Has(id) {
		return nil, nil
	}
	if !theirs.Has(id) {
		return nil, fault.NotFound("Commit")
	}
	var tips bytes.Buffer
	fmt.Fprintln(&tips, id)
	type step struct {
		freshCommit
		next int // the parent to visit
	}
	seen := map[object.ID]bool{}
	var path []step
	visit := func(id object.ID) {
		if seen[id] {
			return
		}
		seen[id] = true
		if ours.Has(id) {
			fmt.Fprintf(&tips, "^%s\n", id)
			return
		}
		parents, _ := theirs.ParentIDs(id)
		path = append(path, step{freshCommit: freshCommit{id, parents}})
	}
	for visit(id); len(path) > 0; {
		top := &path[len(path)-1]
		if top.next == len(top.Parents) {
			f.commits = append(f.commits, top.freshCommit)
			path = path[:len(path)-1]
			continue
		}
		top.next++
		visit(top.Parents[top.next-1])
	}
	return &tips, nil
}

// indexFrom writes the rows of commits whose objects another repository has.
func (g *Git) indexFrom(ctx context.Context, source *Git, fresh []freshCommit) error {
	for commits, err := range source.readNew(ctx, fresh) {
		if err == nil {
			err = g.index(ctx, commits)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
