package view

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/report/prose"
)

// defaultBudget is what a note or a description on a host may have, about.
const (
	DefaultBudget = 1_000_000
	LeastBudget   = 2_000 // below that nothing could be told
)

// rank is how early something gets room where there is too little.
type rank int

// The ranks: what stops everything; what is wrong; what could not be done; what is
// warned of; what goes; how much changes; what else changes; what nobody has to act on;
// what the ledger alone is told.
const (
	stopping rank = iota
	wrong
	stuck
	warned
	going
	counting
	changing
	informing
	recording
)

// fitted writes chapters into a budget of bytes, in their order. Room is given by
// rank: each thing has a line before any has more than that; what has no room
// even for a line is counted, and at the end is said where all of it can be
// seen. A thing is told whole or not at all, so that nothing is left open.
func fitted(chapters []*chapter, budget int, command string) string {
	room := budget - len(shortened(command, 1e9, 1e9, 1e9))
	kept := withRoom(chapters, &room)
	var sections []*section
	for _, c := range kept {
		for i := range c.sections {
			sections = append(sections, &c.sections[i])
		}
	}
	slices.SortStableFunc(sections, func(x, y *section) int { return int(x.rank - y.rank) })
	short, missing := 0, 0
	for _, s := range sections {
		s.fill(&room)
		missing += len(s.entries) - s.lines
	}
	for _, s := range sections {
		short += s.unfold(&room)
	}
	var b strings.Builder
	for _, c := range kept {
		c.write(&b)
	}
	if left := len(chapters) - len(kept); short+missing+left > 0 {
		b.WriteString(shortened(command, short, missing, left))
	}
	return b.String()
}

// shortened says what has no room.
func shortened(command string, short, missing, chapters int) string {
	var left []string
	for _, part := range []struct {
		n    int
		said string
	}{
		{short, prose.Count(short, "object is", "objects are") + " shown without attributes"},
		{missing, prose.Count(missing, "line is", "lines are") + " left out"},
		{chapters, prose.Count(chapters, "directory is", "directories are") + " left out"},
	} {
		if part.n > 0 {
			left = append(left, part.said)
		}
	}
	return fmt.Sprintf("\nTo fit into the budget, %s. `hew %s` on a terminal prints all, and `-budget` raises the budget.\n", prose.Series(left, "and"), command)
}
