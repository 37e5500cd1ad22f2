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

// Move applies moved blocks to the ledger before anything is matched: to resources, instances and
// whole modules. Moves can be chained.
func (w *World) Move(moves []config.Move) *hcl.Diagnostic {
	moves, err := sortMoves(moves)
	if err != nil {
		return err
	}
	for _, m := range moves {
		for _, from := range w.movedBy(m) {
			to, _ := from.Rebase(m.From, m.To)
			if _, taken := w.Ledger.Entries[to]; taken {
				return mistake(m.DeclRange, "Move target already managed",
					"The ledger already has both %s and %s. Remove one of them from the ledger with hew ledger rm, or "+
						"remove this moved block.", from, to)
			}
			w.rewrites = append(w.rewrites, w.Ledger.Move(from, to)...)
			w.recordMove(from, to)
		}
	}
	return nil
}

// movedBy returns, in order, the ledger addresses that a move changes.
func (w *World) movedBy(m config.Move) (at []addr.Instance) {
	for a := range w.Ledger.Entries {
		if to, ok := a.Rebase(m.From, m.To); ok && to != a {
			at = append(at, a)
		}
	}
	slices.SortFunc(at, addr.Instance.Compare)
	return at
}

// recordMove records the original address of a moved entry, across chained moves.
func (w *World) recordMove(from, to addr.Instance) {
	if first, again := w.movedFrom[from]; again {
		delete(w.movedFrom, from)
		from = first
	}
	w.movedFrom[to] = from
}

// sortMoves sorts chained moves into execution order: a move to an address comes before a move from
// it. It returns an error for two moves to one address and for cycles.
func sortMoves(moves []config.Move) ([]config.Move, *hcl.Diagnostic) {
	var g graph.Graph[int]
	arrives := map[addr.Instance]config.Move{}
	for i, m := range moves {
		if first, twice := arrives[m.To]; twice && first.From != m.From {
			return nil, mistake(m.DeclRange, "Duplicate move target",
				"Both %s and %s (%s) move to %s. Remove one of the two moved blocks.",
				m.From, first.From, config.FormatRange(first.DeclRange), m.To)
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
	var cycle *graph.CycleError[int]
	if errors.As(err, &cycle) {
		var names []string
		for _, i := range slices.Backward(cycle.Path) {
			names = append(names, moves[i].From.String())
		}
		return nil, mistake(moves[cycle.Path[0]].DeclRange, "Cyclic moves",
			"These moved blocks form a cycle: %s. Remove one of them.", strings.Join(names, " → "))
	}
	sorted := make([]config.Move, len(order))
	for n, i := range order {
		sorted[n] = moves[i]
	}
	return sorted, nil
}
