package view

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/report/prose"
)

// chapter is the part of a Markdown document about one directory. It has no name where there is
// only one.
type chapter struct {
	name      string
	directory string   // of the configuration in its repository
	sums      []string // a paragraph each, above all else
	sections  []section
}

// section is a part of a chapter with its entries in the order in which they are written.
type section struct {
	title   string
	entries []entry
	rank    rank

	lines int      // how many entries have room
	texts []string // the longer texts of these that have room, "" for none
}

// entry is one thing in a section.
type entry struct {
	line    string
	full    string // with all details, "" if it has none
	partial string // with some of them, "" if there are few
	objects int    // how many the details are about, 0 for one
}

// longestName bounds the name of a directory in a heading, in characters.
const longestName = 200

// head returns what is written of a chapter whatever the budget.
func (c *chapter) head() string {
	var b strings.Builder
	if c.name != "" {
		b.WriteString("\n### " + InHeading(c.name) + "\n")
	}
	for _, s := range c.sums {
		b.WriteString("\n" + s + "\n")
	}
	if len(c.sums) == 0 {
		b.WriteString("\n**There is no plan.**\n")
	}
	return b.String()
}

// InHeading returns a name as it stands in a heading.
func InHeading(name string) string {
	name = prose.Clean(name)
	if r := []rune(name); len(r) > longestName {
		name = string(r[:longestName]) + "…"
	}
	return Verbatim(name)
}

func (s *section) heading() string { return "\n#### " + s.title + "\n\n" }

// gravest returns the first rank in the chapter.
func (c *chapter) gravest() rank {
	first := rankLedger
	for _, s := range c.sections {
		first = min(first, s.rank)
	}
	return first
}

// order puts the table of changes first, then errors, then warnings, then the rest.
func (c *chapter) order() {
	level := func(s section) int {
		switch {
		case s.rank == rankTable:
			return 0
		case s.rank <= rankNotDone:
			return 1
		case s.rank == rankWarnings:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(c.sections, func(x, y section) int { return level(x) - level(y) })
}

// compact drops the details of all entries.
func (c *chapter) compact() {
	for _, s := range c.sections {
		for i := range s.entries {
			s.entries[i].full, s.entries[i].partial = "", ""
		}
	}
}

func (c *chapter) write(b *strings.Builder) {
	b.WriteString(c.head())
	for i := range c.sections {
		c.sections[i].write(b)
	}
}

// chaptersWithRoom returns the chapters whose heads fit, the gravest first in line, and reduces
// room.
func chaptersWithRoom(chapters []*chapter, room *int) []*chapter {
	order := slices.Clone(chapters)
	slices.SortStableFunc(order, func(x, y *chapter) int { return int(x.gravest() - y.gravest()) })
	in := map[*chapter]bool{}
	for i, c := range order {
		need := len(c.head())
		for _, s := range c.sections {
			need += len(s.heading()) + len(more(1e9))
		}
		if in[c] = i == 0 || need <= *room; in[c] {
			*room -= need
		}
	}
	return slices.DeleteFunc(slices.Clone(chapters), func(c *chapter) bool { return !in[c] })
}

// fitLines counts the entries whose line fits, and reduces room.
func (s *section) fitLines(room *int) {
	for s.lines = 0; s.lines < len(s.entries) && len(s.entries[s.lines].line) <= *room; s.lines++ {
		*room -= len(s.entries[s.lines].line)
	}
}

// fitDetails keeps the longest text of each entry that fits, reduces room, and counts the objects
// whose details do not fit, and those that the texts do not name.
func (s *section) fitDetails(room *int) (short, unnamed int) {
	s.texts = make([]string, s.lines)
	for i, e := range s.entries[:s.lines] {
		for _, text := range []string{e.full, e.partial} {
			need := len(text) - len(e.line) + 1 // and a line to set it apart
			if text != "" && need <= *room {
				*room -= need
				s.texts[i] = text
				break
			}
		}
		switch s.texts[i] {
		case e.full:
		case "":
			short += max(1, e.objects)
		default:
			unnamed += e.objects - partlyListed
		}
	}
	return short, unnamed
}

func (s *section) write(b *strings.Builder) {
	b.WriteString(s.heading())
	listed := false
	for i, e := range s.entries[:s.lines] {
		if s.texts[i] == "" {
			b.WriteString(e.line)
			listed = true
			continue
		}
		if listed { // what is folded is no part of a list
			b.WriteString("\n")
		}
		b.WriteString(s.texts[i])
		listed = false
	}
	if n := len(s.entries) - s.lines; n > 0 {
		b.WriteString(more(n))
	}
}

// more counts the entries of a section that have no line.
func more(n int) string { return fmt.Sprintf("- … %d more\n", n) }
