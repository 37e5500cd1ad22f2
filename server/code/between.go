package code

import (
	"context"

	"hew/server/db"
	"hew/server/git/graph"
	"hew/server/git/object"
)

// MaxCounted limits the commits that Between counts: a request can bring any number.
const MaxCounted = 10_000

// Between returns a page of the commits that head has and base lacks, newest first, and how many
// they are. It counts no more than MaxCounted+1.
func (g *Git) Between(ctx context.Context, base, head object.ID, p db.Page) ([]Commit, int, error) {
	h, err := g.History(ctx)
	if err != nil {
		return nil, 0, err
	}
	var page []object.ID
	total := 0
	for id := range h.ids(h.Log([]object.ID{head}, graph.Options{Not: []object.ID{base}})) {
		if total >= p.Offset && len(page) < p.Limit {
			page = append(page, id)
		}
		if total++; total > MaxCounted {
			break
		}
	}
	commits, err := g.Commits(ctx, page)
	return commits, total, err
}

// IDsBetween returns the ids of the commits that head has and base lacks, newest first, at most so
// many.
func (g *Git) IDsBetween(ctx context.Context, base, head object.ID, most int) (list []object.ID, err error) {
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	for id := range h.ids(h.Log([]object.ID{head}, graph.Options{Not: []object.ID{base}})) {
		if len(list) == most {
			break
		}
		list = append(list, id)
	}
	return list, nil
}

// MergeBases returns the best common ancestors of two commits, as git merge-base --all lists them:
// none if their histories have nothing in common.
func (g *Git) MergeBases(ctx context.Context, a, b object.ID) ([]object.ID, error) {
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	return h.MergeBases(a, b), nil
}

// Diverged returns how many commits the source has that the target lacks, and how many it lacks
// that the target has.
func (g *Git) Diverged(ctx context.Context, source, target object.ID) (ahead, behind int, err error) {
	h, err := g.History(ctx)
	if err != nil {
		return 0, 0, err
	}
	ahead, behind = h.AheadBehind(source, target)
	return ahead, behind, nil
}

// IsAncestor reports whether a commit is, or is reached from, another one.
func (g *Git) IsAncestor(ctx context.Context, ancestor, of object.ID) (bool, error) {
	h, err := g.History(ctx)
	if err != nil {
		return false, err
	}
	return h.IsAncestor(ancestor, of), nil
}
