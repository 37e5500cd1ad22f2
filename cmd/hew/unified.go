package main

import (
	"fmt"
	"strings"
)

// unifiedContext is how many lines around a change are shown of a file.
const unifiedContext = 3

// unified prints the difference of two versions of a file in the form that
// patch reads: the lines that change and some around them, in hunks.
func (f *formatter) unified(name, before, after string) {
	c := f.console(f.out)
	seen := func(text string) string { return text }
	if bool(c.paint) || f.tty(f.out) {
		seen = clean // line breaks of another sort would not be seen; patch needs them as they are
	}
	c.printf("--- %s\n+++ %s\n", name, name)
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
		c.printf("%s\n", c.paint.in(cyan, fmt.Sprintf("@@ -%s +%s @@", extent(old, gone), extent(now, come))))
		for _, l := range lines[i:end] {
			text, ended := strings.CutSuffix(l.text, "\n")
			c.printf("%s\n", c.paint.in(signColour[l.op], string(l.op)+seen(text)))
			if !ended {
				c.printf("\\ No newline at end of file\n")
			}
		}
		i, old, now = end, old+gone, now+come
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
