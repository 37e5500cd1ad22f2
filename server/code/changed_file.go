package code

import (
	"context"
	"iter"

	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// ChangedFiles returns the files that a commit changes against its first parent, by path. Renames
// are a file that goes and one that comes.
func (g *Git) ChangedFiles(ctx context.Context, c Commit) iter.Seq2[gittree.Change, error] {
	before := object.EmptyTree
	if len(c.Parents) > 0 {
		var err error
		if before, err = g.treeOf(ctx, c.Parents[0]); err != nil {
			return func(yield func(gittree.Change, error) bool) { yield(gittree.Change{}, err) }
		}
	}
	return gittree.Diff(ctx, g, before, c.Tree)
}

// Size returns the size of an object in bytes, without reading all of it.
func (g *Git) Size(ctx context.Context, id object.ID) (int64, error) {
	if o, ok := g.made[id]; ok {
		return int64(len(o.Data)), nil
	}
	for _, p := range g.extra {
		if _, ok := p.Find(id); ok {
			_, size, err := p.Header(id)
			return size, err
		}
	}
	c, err := g.storage.copyOf(g.Repository)
	if err != nil {
		return 0, err
	}
	if size, ok, err := c.size(id); ok || err != nil {
		return size, err
	}
	o, err := g.Object(ctx, id)
	return int64(len(o.Data)), err
}
