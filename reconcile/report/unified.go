package report

import (
	"fmt"
	"strings"
)

// unifiedContext is how many lines around a change are shown of a file.
const unifiedContext = 3

// Unified returns the difference of two versions of a file in the form that patch
// reads: the lines that change and some around them, in hunks.
func Unified(name, before, after string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	lines := DiffTokens(FileLines(before), FileLines(after))
	old, now := 1, 1
	for i := 0; i < len(lines); {
		if !near(lines, i, unifiedContext) {
			i, old, now = i+1, old+1, now+1
			continue
		}
		end := i
		n := map[rune]int{}
		for ; end < len(lines) && near(lines, end, unifiedContext); end++ {
			n[lines[end].Op]++
		}
		gone, come := n[' ']+n['-'], n[' ']+n['+']
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", extent(old, gone), extent(now, come))
		for _, l := range lines[i:end] {
			text, ended := strings.CutSuffix(l.Text, "\n")
			fmt.Fprintf(&b, "%c%s\n", l.Op, text)
			if !ended {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
		i, old, now = end, old+gone, now+come
	}
	return b.String()
}

// FileLines returns the lines of a file with what ends them.
func FileLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// extent returns the place of some lines of a file; of none it is the line before.
func extent(from, n int) string {
	if n == 0 {
		from--
	}
	return fmt.Sprintf("%d,%d", from, n)
}
