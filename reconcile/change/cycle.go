package change

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/reconcile/plan"
)

// blockCycles blocks the objects whose changes wait for each other. All of a cycle are blocked by
// the first, whose reason names them.
func (h *holders) blockCycles(changes []plan.Change) {
	for _, cycle := range plan.Cycles(changes, h.world.Self) {
		why, rest := cycle.String(), "it is part of the same cycle as %s"
		switch {
		case cycle.ExchangesNames() && slices.ContainsFunc(cycle.Changes, (*plan.Change).UndoesRename):
			why, rest = exchangedByHand(cycle.Changes), "its name was exchanged by hand with that of %s"
		case h.drift:
			continue // the configuration is wrong, and that is not drift
		case cycle.ExchangesNames():
			rest = "it exchanges names with %s"
		}
		first := cycle.Changes[0]
		h.obstruct(first, why)
		for _, c := range cycle.Changes[1:] {
			h.obstruct(c, fmt.Sprintf(rest, first.Addr), first.Addr)
		}
	}
}

// exchangedByHand says that somebody exchanged the names of objects by hand: hosts cannot exchange
// names, and an object must not become another one because of its name.
func exchangedByHand(changes []*plan.Change) string {
	now := make([]string, len(changes))
	for i, c := range changes {
		now[i] = fmt.Sprintf("%s (id %s) is called %q now", c.Addr, c.Before.ID, match.KeyTitle(c.Before))
	}
	return fmt.Sprintf("names were exchanged by hand: %s. Hosts cannot exchange names, so hew changes none of these "+
		"objects. Rename them back on the host; or, to keep the exchange, give each block the name that its object "+
		"has now", strings.Join(now, ", "))
}

// obstruct blocks the object of a change, or records why hew apply does not undo the drift.
func (h *holders) obstruct(c *plan.Change, why string, by ...addr.Instance) {
	if c.Obstacle = why; !h.drift {
		h.world.Node(c.Addr).Block(why, by...)
	}
}
