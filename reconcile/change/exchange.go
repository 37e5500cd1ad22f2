package change

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/reconcile/plan"
)

// blockExchanged blocks the objects whose names somebody exchanged by hand: hosts cannot exchange
// names, and an object must not become another one because of its name. All are blocked by the
// first, whose reason names them all.
func (h *holders) blockExchanged(changes []plan.Change) {
	for _, cycle := range plan.NameCycles(changes) {
		if !slices.ContainsFunc(cycle, (*plan.Change).UndoesRename) {
			continue // an error of the configuration, which plan.Order reports
		}
		first, now := cycle[0], make([]string, len(cycle))
		for i, c := range cycle {
			now[i] = fmt.Sprintf("%s (id %s) is called %q now", c.Addr, c.Before.ID, match.KeyTitle(c.Before))
		}
		h.obstruct(first, fmt.Sprintf("names were exchanged by hand: %s. Hosts cannot exchange names, so hew changes "+
			"none of these objects. Rename them back on the host; or, to keep the exchange, give each block the name "+
			"that its object has now", strings.Join(now, ", ")))
		for _, c := range cycle[1:] {
			h.obstruct(c, fmt.Sprintf("its name was exchanged by hand with that of %s", first.Addr), first.Addr)
		}
	}
}

// obstruct blocks the object of a change, or records why hew apply does not undo the drift.
func (h *holders) obstruct(c *plan.Change, why string, by ...addr.Instance) {
	if c.Obstacle = why; !h.drift {
		h.world.Node(c.Addr).Block(why, by...)
	}
}
