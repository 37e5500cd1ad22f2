package code

import (
	"context"
	"iter"
	"strings"
	"time"

	"hew/server/fault"
	"hew/server/git/graph"
	"hew/server/git/object"
)

// LogFilter says which commits a log has. Limit is required; the zero values of the other fields
// narrow nothing.
type LogFilter struct {
	From, Not     []object.ID // reachable from one of From and from none of Not
	Path          string      // that changed the file or directory
	Author        string      // with the text in the author's name or e-mail address
	Since, Until  *time.Time  // committed in this time, ends included
	FirstParent   bool        // follow the first parents alone
	Topo          bool        // no parent before all of its children; else by time, newest first
	Limit, Offset int
}

// logBatch is how many commits are read at once if rows decide which ones are shown.
const logBatch = 200

// FromRange makes a log begin at a revision, the default branch if it is empty, or at a range: a..b
// for what b has and a has not, a...b for what one of them has.
func (g *Git) FromRange(ctx context.Context, what, revision string, f *LogFilter) error {
	if revision == "" {
		revision = "HEAD"
	}
	left, right, three := cutRange(revision)
	to, err := g.Resolve(ctx, what, right)
	if err != nil {
		return err
	}
	f.From = []object.ID{to}
	if left == "" {
		return nil
	}
	from, err := g.Resolve(ctx, what, left)
	if err != nil {
		return err
	}
	f.Not = []object.ID{from}
	if three {
		h, err := g.History(ctx)
		if err != nil {
			return err
		}
		f.From, f.Not = []object.ID{from, to}, h.MergeBases(from, to) // of one second, the left comes first
	}
	return nil
}

// cutRange returns the ends of a..b or a...b, where an end that is missing is HEAD. Without dots
// left is empty.
func cutRange(revision string) (left, right string, three bool) {
	left, right, ok := strings.Cut(revision, "..")
	if !ok {
		return "", revision, false
	}
	right, three = strings.CutPrefix(right, ".")
	if left == "" {
		left = "HEAD"
	}
	if right == "" {
		right = "HEAD"
	}
	return left, right, three
}

// FromAll makes a log begin at all branches and tags.
func (g *Git) FromAll(ctx context.Context, f *LogFilter) error {
	refs, err := g.Refs(ctx, g.st, Heads, Tags)
	for _, r := range refs {
		f.From = append(f.From, r.Commit())
	}
	return err
}

// Log returns a page of commits, newest first unless f.Topo says otherwise.
func (g *Git) Log(ctx context.Context, f LogFilter) ([]Commit, error) {
	ids, err := g.walk(ctx, f)
	if err != nil {
		return nil, err
	}
	var page []Commit
	skip := f.Offset
	batch := make([]object.ID, 0, logBatch)
	every, size := f.Author == "" && f.Since == nil && f.Until == nil, logBatch
	if every { // is shown
		size = f.Limit
	}
	flush := func() error {
		commits, err := g.Commits(ctx, batch)
		batch = batch[:0]
		for _, c := range commits {
			switch {
			case !f.shows(c):
			case skip > 0:
				skip--
			case len(page) < f.Limit:
				page = append(page, c)
			}
		}
		return err
	}
	for id := range ids {
		if every && skip > 0 {
			skip--
			continue
		}
		if batch = append(batch, id); len(batch) < size {
			continue
		}
		if err := flush(); err != nil || len(page) == f.Limit {
			return page, err
		}
	}
	return page, flush()
}

// shows reports whether a commit has the author and the time.
func (f LogFilter) shows(c Commit) bool {
	if f.Since != nil && c.CommittedAt.Before(f.Since.Truncate(time.Second)) {
		return false
	}
	if f.Until != nil && c.CommittedAt.After(*f.Until) {
		return false
	}
	return strings.Contains(c.AuthorName+" <"+c.AuthorEmail+">", f.Author)
}

// walk returns the ids of a log in its order.
func (g *Git) walk(ctx context.Context, f LogFilter) (iter.Seq[object.ID], error) {
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	o := graph.Options{FirstParent: f.FirstParent, Not: f.Not}
	if f.Topo {
		o.Order = graph.OrderTopo
	}
	if f.Path == "" {
		return h.ids(h.Log(f.From, o)), nil
	}
	differs, err := g.changesOf(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	return h.ids(h.History(f.From, o, differs)), nil
}

// Count returns how many commits a commit and its ancestors are.
func (g *Git) Count(ctx context.Context, id object.ID, firstParent bool) (n int, err error) {
	ids, err := g.walk(ctx, LogFilter{From: []object.ID{id}, FirstParent: firstParent})
	if err != nil {
		return 0, err
	}
	for range ids {
		n++
	}
	return n, nil
}

// LastCommit returns the commit that changed a path last, seen from a commit; the zero id if none
// did.
func (g *Git) LastCommit(ctx context.Context, from object.ID, path string) (last object.ID, err error) {
	ids, err := g.walk(ctx, LogFilter{From: []object.ID{from}, Path: path})
	if err != nil {
		return last, err
	}
	for id := range ids {
		return id, nil
	}
	return last, nil
}

// MergeBase returns a best common ancestor of commits, or a not-found fault.
func (g *Git) MergeBase(ctx context.Context, ids []object.ID) (object.ID, error) {
	h, err := g.History(ctx)
	if err != nil {
		return object.ID{}, err
	}
	base := ids[0]
	for _, id := range ids[1:] {
		bases := h.MergeBases(base, id)
		if len(bases) == 0 {
			return object.ID{}, fault.NotFound("Merge Base")
		}
		base = bases[0]
	}
	return base, nil
}

// RefsContaining returns the refs with one of the prefixes from which a commit can be reached.
func (g *Git) RefsContaining(ctx context.Context, id object.ID, prefixes ...string) ([]Ref, error) {
	refs, err := g.Refs(ctx, g.st, prefixes...)
	if err != nil {
		return nil, err
	}
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	tips := make([]object.ID, len(refs))
	for i, r := range refs {
		tips[i] = r.Commit()
	}
	var containing []Ref
	for i, contains := range h.Contains(tips, id) {
		if contains {
			containing = append(containing, refs[i])
		}
	}
	return containing, nil
}
