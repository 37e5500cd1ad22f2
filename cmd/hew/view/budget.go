package view

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/report/prose"
)

// The budgets of a document on a host, in bytes: the default, and the least in which anything
// fits.
const (
	DefaultBudget = 1_000_000
	LeastBudget   = 2_000 // below that nothing could be told
)

// rank orders what gets room first where there is too little.
type rank int

// The ranks: guards; errors; what could not be done; warnings; removals; wider access; the
// table of changes; other changes; information; changes of the ledger alone.
const (
	stopping rank = iota
	wrong
	stuck
	warned
	going
	opening
	counting
	changing
	informing
	recording
)

// fitChapters writes chapters into a budget of bytes, in their order. Room is given by rank: every
// entry gets its line before any entry gets its details. Entries without room for a line are
// counted, and the end of the document says where to see them. An entry is written whole or not at
// all, so no markup stays open.
func fitChapters(chapters []*chapter, budget int, command string) string {
	room := budget - len(shortened(command, 1e9, 1e9, 1e9))
	kept := chaptersWithRoom(chapters, &room)
	var sections []*section
	for _, c := range kept {
		for i := range c.sections {
			sections = append(sections, &c.sections[i])
		}
	}
	slices.SortStableFunc(sections, func(x, y *section) int { return int(x.rank - y.rank) })
	short, missing := 0, 0
	for _, s := range sections {
		s.fitLines(&room)
		missing += len(s.entries) - s.lines
	}
	for _, s := range sections {
		short += s.fitDetails(&room)
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

// shortened says what was left out for lack of room.
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
	return fmt.Sprintf("\nTo fit into the budget, %s. `hew %s` on a terminal prints all, and `-budget` raises the "+
		"budget.\n", prose.Series(left, "and"), command)
}
