package match

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
)

// Move re-addresses ledger entries before anything is matched: blocks, single
// instances and whole modules. What one statement moves another may move on.
func (w *World) Move(moves []config.Move) *hcl.Diagnostic {
	moves, err := sortMoves(moves)
	if err != nil {
		return err
	}
	for _, m := range moves {
		for _, from := range w.movedBy(m) {
			to, _ := from.Rebase(m.From, m.To)
			if _, taken := w.Ledger.Entries[to]; taken {
				return mistake(m.Decl, "Move onto a managed object",
					"The ledger has %s and %s, two objects. Remove one of them from the ledger (hew ledger rm) or "+
						"take this moved block away.", from, to)
			}
			w.rewrites = append(w.rewrites, w.Ledger.Move(from, to)...)
			w.recordMove(from, to)
		}
	}
	return nil
}

// movedBy returns the addresses in the ledger that a move gives another one, in
// order.
func (w *World) movedBy(m config.Move) (at []addr.Instance) {
	for a := range w.Ledger.Entries {
		if to, ok := a.Rebase(m.From, m.To); ok && to != a {
			at = append(at, a)
		}
	}
	slices.SortFunc(at, addr.Instance.Compare)
	return at
}

// recordMove remembers the first address of what moves, however often.
func (w *World) recordMove(from, to addr.Instance) {
	if first, again := w.movedFrom[from]; again {
		delete(w.movedFrom, from)
		from = first
	}
	w.movedFrom[to] = from
}

// sortMoves puts moves in the order in which they are to be done: what moves to an
// address comes before what moves on from there. Two things cannot move to one
// address, and none can move in a circle.
func sortMoves(moves []config.Move) ([]config.Move, *hcl.Diagnostic) {
	var g graph.Graph[int]
	arrives := map[addr.Instance]config.Move{}
	for i, m := range moves {
		if first, twice := arrives[m.To]; twice && first.From != m.From {
			return nil, mistake(m.Decl, "Two moves to one address",
				"%s is said to have moved to %s, and so is %s at %s. Only one of them can have become it: remove the "+
					"other moved block.",
				m.From, m.To, first.From, config.Place(first.Decl))
		}
		arrives[m.To] = m
		g.AddNode(i)
		for j, before := range moves {
			if i != j && (before.To.Contains(m.From) || m.From.Contains(before.To)) {
				g.AddEdge(i, j)
			}
		}
	}
	order, err := g.Sort()
	var circle *graph.CycleError[int]
	if errors.As(err, &circle) {
		var names []string
		for _, i := range slices.Backward(circle.Path) {
			names = append(names, moves[i].From.String())
		}
		return nil, mistake(moves[circle.Path[0]].Decl, "Moves in a circle",
			"%s: nobody can say where these are now. Remove one of the moved blocks.", strings.Join(names, " → "))
	}
	turn := make([]config.Move, len(order))
	for n, i := range order {
		turn[n] = moves[i]
	}
	return turn, nil
}
