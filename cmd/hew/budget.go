package main

import (
	"fmt"
	"strings"
)

// defaultBudget is what a note or a description on a host may have, about.
const (
	defaultBudget = 1_000_000
	leastBudget   = 2_000
)

// fitted writes sections into a budget of bytes. Each thing has a line before
// any has more than that; what has no room even for a line is counted, and at
// the end is said where all of it can be seen.
func fitted(sections []section, budget int, command string) string {
	const cut = "- … %d more\n"
	end := func(short, missing int) string {
		return fmt.Sprintf("\nTo fit into the budget, %s shown without attributes and %s left out. `hew %s` on a terminal prints all, and `-budget` raises the budget.\n",
			counted(short, "object is", "objects are"), counted(missing, "line is", "lines are"), command)
	}
	room := budget - len(end(1e9, 1e9))
	for _, s := range sections {
		room -= len(s.heading()) + len(fmt.Sprintf(cut, int(1e9)))
	}
	kept := make([]int, len(sections))
	missing := 0
	for i, s := range sections {
		for kept[i] < len(s.entries) && len(s.entries[kept[i]].line) <= room {
			room -= len(s.entries[kept[i]].line)
			kept[i]++
		}
		missing += len(s.entries) - kept[i]
	}
	var b strings.Builder
	short := 0
	for i, s := range sections {
		b.WriteString(s.heading())
		listed := false
		for _, e := range s.entries[:kept[i]] {
			more := len(e.full) - len(e.line) + 1
			switch {
			case e.full != "" && more <= room:
				if listed { // what is folded is no part of a list
					b.WriteString("\n")
				}
				b.WriteString(e.full)
				room -= more
				listed = false
				continue
			case e.full != "":
				short++
			}
			b.WriteString(e.line)
			listed = true
		}
		if n := len(s.entries) - kept[i]; n > 0 {
			fmt.Fprintf(&b, cut, n)
		}
	}
	if short+missing > 0 {
		b.WriteString(end(short, missing))
	}
	return b.String()
}

func (s section) heading() string { return "\n#### " + s.title + "\n\n" }
