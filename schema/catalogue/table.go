package catalogue

import "strings"

// rows are the lines of a table of ours, by the names in its first line.
func rows(table string) []map[string]string {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	out := make([]map[string]string, len(lines)-1)
	for i, line := range lines[1:] {
		out[i] = make(map[string]string, len(head))
		for n, cell := range strings.Split(line, "\t") {
			out[i][head[n]] = cell
		}
	}
	return out
}
