package code

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/exec"
	"hew/server/git/graph"
	"hew/server/git/object"
)

// CompareWith is Compare from a revision of another repository of the fork network. The objects of
// each stay where they are.
func (g *Git) CompareWith(
	ctx context.Context, other *Git, from, to string, straight bool, limits diff.Limits,
) (c Comparison, err error) {
	if c.From, err = other.findRevision(ctx, from); err != nil {
		return c, err
	}
	if c.To, err = g.findRevision(ctx, to); err != nil {
		return c, err
	}
	known, err := g.knownOf(ctx, other, c.From.ID)
	if err != nil {
		return c, err
	}
	base, ok, err := g.firstOf(ctx, c.To.ID, known)
	if err != nil || !ok && !straight {
		return c, err // nothing in common: nothing is compared
	}
	f := LogFilter{From: []object.ID{c.To.ID}, Limit: maxCompared}
	for id := range known {
		f.Not = append(f.Not, id)
	}
	if c.Commits, err = g.oldestFirst(ctx, f); err != nil {
		return c, err
	}
	if !straight {
		c.Files, err = g.Diff(ctx, base, c.To.ID, limits)
		return c, err
	}
	lent, err := other.lend(ctx)
	if err != nil {
		return c, err
	}
	defer lent.giveBack()
	c.Files, err = g.diffIn(ctx, []string{alternates + filepath.Join(lent.dir, "objects")},
		c.From.ID, c.To.ID, limits)
	return c, err
}

// findRevision returns the commit that a revision names, or a not-found fault about a ref.
func (g *Git) findRevision(ctx context.Context, revision string) (Commit, error) {
	id, err := g.Resolve(ctx, "Ref", revision)
	if err != nil {
		return Commit{}, err
	}
	return g.FindCommit(ctx, "Ref", id)
}

// knownOf returns the commits that a commit of another repository reaches and that are here, too.
func (g *Git) knownOf(ctx context.Context, other *Git, id object.ID) (map[object.ID]bool, error) {
	ours, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := other.History(ctx)
	if err != nil {
		return nil, err
	}
	known := map[object.ID]bool{}
	for id := range theirs.ids(theirs.Log([]object.ID{id}, graph.Options{})) {
		if ours.Has(id) {
			known[id] = true
		}
	}
	return known, nil
}

// firstOf returns the first of some commits that a commit reaches: no other one of them that it
// reaches has it as an ancestor.
func (g *Git) firstOf(ctx context.Context, from object.ID, of map[object.ID]bool) (id object.ID, ok bool, err error) {
	h, err := g.History(ctx)
	if err != nil {
		return id, false, err
	}
	for id := range h.ids(h.Log([]object.ID{from}, graph.Options{Order: graph.OrderTopo})) {
		if of[id] {
			return id, true, nil
		}
	}
	return id, false, nil
}

const (
	// maxBrought and maxBroughtBytes limit what a commit brings from another repository.
	maxBrought, maxBroughtBytes = 20_000, 128 << 20
)

// bring makes what a commit of another repository of the network reaches, and is not here, objects
// that are stored with the next commit.
func (g *Git) bring(ctx context.Context, other *Git, id object.ID) error {
	known, err := g.knownOf(ctx, other, id)
	if err != nil || known[id] {
		return err
	}
	lent, err := other.lend(ctx)
	if err != nil {
		return err
	}
	defer lent.giveBack()
	var tips strings.Builder
	fmt.Fprintln(&tips, id)
	for id := range known {
		fmt.Fprintf(&tips, "^%s\n", id)
	}
	out, err := g.storage.git.Output(ctx, exec.Command{
		Dir: lent.dir, Args: []string{"rev-list", "--objects", "--no-object-names", "--stdin"},
		Stdin: strings.NewReader(tips.String()), Timeout: readTimeout,
	}, maxBrought*(2*object.IDSize+1))
	var told *exec.Error
	switch {
	case errors.As(err, &told):
		return err
	case err != nil:
		return tooMuch()
	}
	g.brought = true
	size := 0
	for line := range strings.Lines(string(out)) {
		id, err := object.ParseID(strings.TrimSpace(line))
		if err != nil {
			return err
		}
		o, err := other.Object(ctx, id)
		if err != nil {
			return err
		}
		if size += len(o.Data); size > maxBroughtBytes {
			return tooMuch()
		}
		g.keep(o)
	}
	return nil
}

func tooMuch() error {
	return fault.BadRequest("The start branch has too much that this project lacks: push it to the project first").
		In(fault.Text)
}
