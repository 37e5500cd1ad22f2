package graph

import "context"

// Report is the outcome of a walk. Each node is in exactly one of the lists, in the order of
// addition.
type Report[K comparable] struct {
	Done      []K
	Failed    []Failure[K]
	Skipped   []Skip[K]
	Unstarted []K // because the context ended
}

// Failure is a node whose visit returned an error.
type Failure[K comparable] struct {
	Node K
	Err  error
}

// Skip is a node that was not visited because something that it needs, directly or indirectly,
// failed. Cause is the failed node that was added first.
type Skip[K comparable] struct {
	Node, Cause K
}

// Walk visits every node after everything that it needs, at most width nodes at a time; a width
// below 1 is no limit. If a visit fails, its dependents are skipped and the rest goes on. When ctx
// ends, Walk starts no more visits and waits for those that are running. They get the same ctx, so
// a visit that must not be interrupted uses context.WithoutCancel. Walk fails with a *CycleError
// before any visit.
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
		f        = g.newFrontier()
		outcomes = make([]outcome, len(g.keys))
		ended    = make(chan visited, min(width, len(g.keys)))
		running  = 0
	)
	for {
		for f.ready.Len() > 0 && running < width && ctx.Err() == nil {
			n := f.popReady()
			running++
			go func() { ended <- visited{n, visit(ctx, g.keys[n])} }()
		}
		if running == 0 {
			break
		}
		v := <-ended
		running--
		outcomes[v.node] = outcome{visited: true, err: v.err}
		if v.err == nil {
			f.markDone(v.node)
		}
	}
	return g.newReport(order, outcomes), nil
}

// outcome is what happened to a node. cause is 1 + the index of a failed node, 0 for none.
type outcome struct {
	visited bool
	err     error
	cause   int
}

// newReport sorts the nodes into the lists. It finds the causes in topological order, so that they
// do not depend on which visit ended first.
func (g *Graph[K]) newReport(order []int, outcomes []outcome) (r Report[K]) {
	for _, n := range order {
		if outcomes[n].err != nil {
			outcomes[n].cause = n + 1
			continue
		}
		for _, need := range g.needs[n] {
			if c := outcomes[need].cause; c > 0 && (outcomes[n].cause == 0 || c < outcomes[n].cause) {
				outcomes[n].cause = c
			}
		}
	}
	for n, k := range g.keys {
		switch f := outcomes[n]; {
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
