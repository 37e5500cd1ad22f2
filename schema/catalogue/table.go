package catalogue

import (
	"iter"
	"strings"

	"hew/schema/pattern"
)

// rows are the lines of a table of ours, by the names in its first line.
func rows(table string) iter.Seq[row] {
	head, rest, _ := strings.Cut(strings.TrimSuffix(table, "\n"), "\n")
	columns := map[string]int{}
	for i, name := range strings.Split(head, "\t") {
		columns[name] = i
	}
	return func(yield func(row) bool) {
		for line := range strings.SplitSeq(rest, "\n") {
			if !yield(row{columns, strings.Split(line, "\t")}) {
				return
			}
		}
	}
}

// row is a line of a table.
type row struct {
	columns map[string]int
	cells   []string
}

// at is the cell in the named column, "" where the table has none.
func (r row) at(column string) string {
	if i, ok := r.columns[column]; ok && i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}

// matching tells whether a text has the pattern.
func matching(text string) func(string) bool {
	p := pattern.Lazy(text)
	return func(s string) bool { return p().MatchString(s) }
}
