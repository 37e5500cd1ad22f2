package code

import (
	"context"
	"iter"

	gittree "hew/server/git/tree"
)

// ChangedFiles returns the files that a commit changes against its first parent, by path. Renames
// are a file that goes and one that comes.
func (g *Git) ChangedFiles(ctx context.Context, c Commit) iter.Seq2[gittree.Change, error] {
	before, err := g.treeBefore(ctx, c.Parents)
	if err != nil {
		return func(yield func(gittree.Change, error) bool) { yield(gittree.Change{}, err) }
	}
	return gittree.Diff(ctx, g, before, c.Tree)
}
