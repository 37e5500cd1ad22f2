package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// diffLine is a line of a difference: added, removed, changed (~), kept, or
// (…) a count of lines that are not printed.
type diffLine struct {
	op    rune // + - ~ ' ' …
	text  string
	depth int    // how many values it is within
	label string // what text begins with, of an element that has a name
	words words  // that text holds with their marks
	arrow arrow  // where text is one, behind its label
}

// textDifference renders a change from one text to another, of which one may
// be null.
func textDifference(before, after string, arrow arrow) difference {
	switch {
	case multiline(before) || multiline(after):
		return lineDifference(before, after, arrow)
	case columns(arrow.String()) <= longLine || before == "" || after == "":
		return arrow.with(onlyIn(before, after))
	}
	if words, alike := wordDiff(quote(before), quote(after)); alike {
		return difference{value: words.String() + onlyIn(before, after), words: words}
	}
	if columns(arrow.String()) <= 2*longLine {
		return arrow.with(onlyIn(before, after))
	}
	return difference{value: "another text" + onlyIn(before, after), body: []diffLine{{op: '-', text: quote(before)}, {op: '+', text: quote(after)}}}
}

func multiline(s string) bool { return strings.Contains(strings.TrimSuffix(s, "\n"), "\n") }

// onlyIn says in which respect alone two texts differ, where eyes may miss it.
func onlyIn(before, after string) string {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	switch {
	case squeeze(before) == squeeze(after) && squeeze(after) != "":
		return ", only in white space"
	case len(before) > longText && strings.EqualFold(before, after):
		return ", only in upper and lower case"
	}
	return ""
}

// lineDifference compares texts of several lines.
func lineDifference(before, after string, arrow arrow) difference {
	x, y := heredoc(before), heredoc(after)
	switch {
	case before == "":
		return difference{value: arrow.from + " -> " + count(len(y), "line"), body: signed('+', y)}
	case after == "":
		return difference{value: count(len(x), "line") + " -> " + arrow.to, body: signed('-', x)}
	}
	// What a terminal cannot show is said: spaces at the end of a line, and
	// whether the last line has an end.
	if x[len(x)-1] == y[len(y)-1] { // else it is plain that something happens there
		switch endsX, endsY := strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n"); {
		case endsX && !endsY:
			y = append(y, noNewline)
		case endsY && !endsX:
			x = append(x, noNewline)
		}
	}
	lines := diffTokens(x, y)
	for i, l := range lines {
		if l.op != ' ' {
			lines[i].text = trailing(l.text)
		}
	}
	return difference{value: tally(lines, "line") + onlyIn(before, after), body: fold(inWords(lines), 1)}
}

const noNewline = `\ no newline at the end`

// trailing makes white space at the end of a line visible.
func trailing(line string) string {
	text := strings.TrimRight(line, " ")
	return text + strings.Repeat("·", len(line)-len(text))
}

// inWords joins each long line that goes with the one that comes in its place
// where they are alike.
func inWords(lines []diffLine) []diffLine {
	run := func(from int, op rune) (to int) {
		for to = from; to < len(lines) && lines[to].op == op; to++ {
		}
		return to
	}
	var out []diffLine
	for i := 0; i < len(lines); {
		gone := run(i, '-')
		come := run(gone, '+')
		if n := gone - i; n == 0 || come-gone != n {
			end := max(come, i+1)
			out = append(out, lines[i:end]...)
			i = end
			continue
		}
		var pairs []diffLine
		joined := false
		for j := range gone - i {
			old, now := lines[i+j], lines[gone+j]
			words, alike := wordDiff(old.text, now.text)
			if !alike || columns(old.text) <= longText {
				pairs = append(pairs, old, now)
				continue
			}
			joined = true
			pairs = append(pairs, diffLine{op: '~', text: words.String(), words: words})
		}
		if !joined {
			pairs = lines[i:come]
		}
		out = append(out, pairs...)
		i = come
	}
	return out
}

// tally sums a difference up: "+2 -1 of 14 lines".
func tally(lines []diffLine, what string) string {
	n := map[rune]int{}
	for _, l := range lines {
		if l.depth == 0 && l.text != noNewline {
			n[l.op]++
		}
	}
	var sum []string
	for _, op := range "+-~" {
		if n[op] > 0 {
			sum = append(sum, fmt.Sprintf("%c%d", op, n[op]))
		}
	}
	all := count(n['-']+n['~']+n[' '], what)
	if len(sum) == 0 {
		return all
	}
	return strings.Join(sum, " ") + " of " + all
}

// fold replaces runs of kept lines by their count, except for context lines
// next to a change.
func fold(lines []diffLine, context int) []diffLine {
	var folded []diffLine
	hidden := 0
	flush := func() {
		if hidden > 0 {
			folded = append(folded, diffLine{op: '…', text: fmt.Sprintf("%d unchanged", hidden)})
			hidden = 0
		}
	}
	for i, l := range lines {
		if !near(lines, i, context) {
			hidden++
			continue
		}
		flush()
		folded = append(folded, l)
	}
	flush()
	return folded
}

// near tells whether a line is a change or context of one.
func near(lines []diffLine, i, context int) bool {
	lo, hi := max(0, i-context), min(len(lines), i+context+1)
	return slices.ContainsFunc(lines[lo:hi], func(l diffLine) bool { return l.op != ' ' || l.depth > 0 })
}

var wordPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]|[\pL\pN\pM_]+|\s+|.`)
})

// keptAround is how much of a long stretch that stays is shown at either end
// of it.
const keptAround = 24

// words are two texts in one, word by word.
type words []stretch

// String marks what differs: [-old-]{+new+}, the form known from git.
func (w words) String() string {
	var b strings.Builder
	for _, s := range w {
		switch text := s.String(); s.op {
		case '-':
			b.WriteString("[-" + text + "-]")
		case '+':
			b.WriteString("{+" + text + "+}")
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}

// wordDiff finds what differs between two texts. It is of no use where less than a
// half is common.
func wordDiff(before, after string) (w words, alike bool) {
	common := 0
	all := diffs(wordPattern().FindAllString(before, -1), wordPattern().FindAllString(after, -1))
	for i, d := range all {
		text := d.String()
		if d.op == ' ' {
			common += len(text)
			text = shorten(text, i > 0, i < len(all)-1)
		}
		w = append(w, stretch{d.op, []string{text}})
	}
	return w, 2*common >= min(len(before), len(after))
}

// shorten takes the middle out of a long text, and the ends that are next to
// no change.
func shorten(text string, head, tail bool) string {
	all := []rune(text)
	if len(all) <= 3*keptAround {
		return text
	}
	short := "…"
	if head {
		short = string(all[:keptAround]) + short
	}
	if tail {
		short += string(all[len(all)-keptAround:])
	}
	return short
}
