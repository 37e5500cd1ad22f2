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
	rankGuards rank = iota
	rankErrors
	rankNotDone
	rankWarnings
	rankRemovals
	rankWiderAccess
	rankTable
	rankChanges
	rankInformation
	rankLedger
)

// fitChapters writes chapters into a budget of bytes, in their order. Room is given by rank: every
// entry gets its line before any entry gets its details. Entries without room for a line are
// counted, and the end of the document says where to see them. An entry is written whole or not at
// all, so no markup stays open.
func fitChapters(chapters []*chapter, budget int, command string) string {
	room := budget - len(cuts{1e9, 1e9, 1e9, 1e9}.sentence(command))
	kept := chaptersWithRoom(chapters, &room)
	var sections []*section
	for _, c := range kept {
		for i := range c.sections {
			sections = append(sections, &c.sections[i])
		}
	}
	slices.SortStableFunc(sections, func(x, y *section) int { return int(x.rank - y.rank) })
	var cut cuts
	for _, s := range sections {
		s.fitLines(&room)
		cut.lines += len(s.entries) - s.lines
	}
	for _, s := range sections {
		short, unnamed := s.fitDetails(&room)
		cut.details += short
		cut.names += unnamed
	}
	var b strings.Builder
	for _, c := range kept {
		c.write(&b)
	}
	cut.directories = len(chapters) - len(kept)
	if cut != (cuts{}) {
		b.WriteString(cut.sentence(command))
	}
	return b.String()
}

// cuts counts what was left out for lack of room: details and names of objects, lines, directories.
type cuts struct{ details, names, lines, directories int }

// sentence says what was left out and where to see it.
func (c cuts) sentence(command string) string {
	var left []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{c.details, prose.Count(c.details, "object is", "objects are") + " shown without attributes"},
		{c.names, prose.Count(c.names, "object is", "objects are") + " not named"},
		{c.lines, prose.Count(c.lines, "line is", "lines are") + " left out"},
		{c.directories, prose.Count(c.directories, "directory is", "directories are") + " left out"},
	} {
		if part.n > 0 {
			left = append(left, part.text)
		}
	}
	return fmt.Sprintf("\nTo fit into the budget, %s. `hew %s -verbose` on a terminal prints all, and `-budget` raises "+
		"the budget.\n", prose.Series(left, "and"), command)
}
