package graph

import "context"

// Report tells what became of every node of a walk. Each node is in exactly one
// of the lists; each list is in the order of addition.
type Report[K comparable] struct {
	Done      []K
	Failed    []Failure[K]
	Skipped   []Skip[K]
	Unstarted []K // the context ended first
}

// Failure is a node whose visit returned an error.
type Failure[K comparable] struct {
	Node K
	Err  error
}

// Skip is a node that was not visited because something it needs, directly or
// not, failed. Of several causes it names the one added first.
type Skip[K comparable] struct {
	Node, Cause K
}

// Walk visits every node after all that it needs, at most width at a time; a
// width below 1 sets no bound. A failure skips its dependents and nothing else.
// When ctx ends no visit begins any more, and those under way are waited for;
// they see the same ctx, so a visit that must not be cut short detaches from it.
// The error is a *CycleError, and nothing was visited then.
func (g *Graph[K]) Walk(ctx context.Context, width int, visit func(context.Context, K) error) (Report[K], error) {
	order, err := g.sort()
	if err != nil {
		return Report[K]{}, err
	}
	if width < 1 {
		width = len(g.keys)
	}
	type visited struct {
		node int
		err  error
	}
	var (
		f       = g.frontier()
		fates   = make([]fate, len(g.keys))
		ended   = make(chan visited, min(width, len(g.keys)))
		running = 0
	)
	for {
		for f.ready.Len() > 0 && running < width && ctx.Err() == nil {
			n := f.next()
			running++
			go func() { ended <- visited{n, visit(ctx, g.keys[n])} }()
		}
		if running == 0 {
			break
		}
		v := <-ended
		running--
		fates[v.node] = fate{visited: true, err: v.err}
		if v.err == nil {
			f.met(v.node)
		}
	}
	return g.report(order, fates), nil
}

// fate is what happened to a node; a cause is the number of a failed node, plus
// one so that the zero value has none.
type fate struct {
	visited bool
	err     error
	cause   int
}

// report sorts the nodes into its lists. Causes are worked out here, in
// topological order, so that they do not depend on who finished first.
func (g *Graph[K]) report(order []int, fates []fate) (r Report[K]) {
	for _, n := range order {
		if fates[n].err != nil {
			fates[n].cause = n + 1
			continue
		}
		for _, need := range g.needs[n] {
			if c := fates[need].cause; c > 0 && (fates[n].cause == 0 || c < fates[n].cause) {
				fates[n].cause = c
			}
		}
	}
	for n, k := range g.keys {
		switch f := fates[n]; {
		case f.err != nil:
			r.Failed = append(r.Failed, Failure[K]{k, f.err})
		case f.visited:
			r.Done = append(r.Done, k)
		case f.cause > 0:
			r.Skipped = append(r.Skipped, Skip[K]{k, g.keys[f.cause-1]})
		default:
			r.Unstarted = append(r.Unstarted, k)
		}
	}
	return r
}
