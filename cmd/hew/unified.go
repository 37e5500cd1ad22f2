package main

import (
	"fmt"
	"strings"
)

// unifiedContext is how many lines around a change are shown of a file.
const unifiedContext = 3

// unified is the difference of two versions of a file in the form that patch
// reads: the lines that change and some around them, in hunks.
func unified(name, before, after string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	lines := diffTokens(fileLines(before), fileLines(after))
	old, now := 1, 1
	for i := 0; i < len(lines); {
		if !near(lines, i, unifiedContext) {
			i, old, now = i+1, old+1, now+1
			continue
		}
		end := i
		n := map[rune]int{}
		for ; end < len(lines) && near(lines, end, unifiedContext); end++ {
			n[lines[end].op]++
		}
		gone, come := n[' ']+n['-'], n[' ']+n['+']
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", extent(old, gone), extent(now, come))
		for _, l := range lines[i:end] {
			text, ended := strings.CutSuffix(l.text, "\n")
			fmt.Fprintf(&b, "%c%s\n", l.op, text)
			if !ended {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
		i, old, now = end, old+gone, now+come
	}
	return b.String()
}

// patch writes what unified has found, for people in colours. Line breaks of
// another sort they would not see; patch needs them as they are.
func (c console) patch(text string, people bool) {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if people {
			line = clean(line)
		}
		colour := ""
		switch {
		case n < 2: // the names
		case line[0] == '@':
			colour = cyan
		default:
			colour = signColour[rune(line[0])]
		}
		c.printf("%s\n", c.paint.in(colour, line))
		n++
	}
}

// fileLines are the lines of a file with what ends them.
func fileLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// extent is the place of some lines of a file; of none it is the line before.
func extent(from, n int) string {
	if n == 0 {
		from--
	}
	return fmt.Sprintf("%d,%d", from, n)
}
