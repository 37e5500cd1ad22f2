package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"hew/reconcile/report/prose"
)

// DiffLine is a line of a difference: added, removed, changed (~), kept, or
// (…) a count of lines that are not printed.
type DiffLine struct {
	Op    rune // + - ~ ' ' …
	Text  string
	Depth int    // how many values it is within
	Label string // what text begins with, of an element that has a name
	Words Words  // that text holds with their marks
	Arrow Arrow  // where text is one, behind its label
}

// textDifference renders a change from one text to another, of which one may
// be null.
func textDifference(before, after string, arrow Arrow) difference {
	switch {
	case multiline(before) || multiline(after):
		return lineDifference(before, after, arrow)
	case prose.Columns(arrow.String()) <= LongLine || before == "" || after == "":
		return arrow.with(onlyIn(before, after))
	}
	if words, alike := WordDiff(prose.Quote(before), prose.Quote(after)); alike {
		return difference{Value: words.String() + onlyIn(before, after), Words: words}
	}
	if prose.Columns(arrow.String()) <= 2*LongLine {
		return arrow.with(onlyIn(before, after))
	}
	return difference{Value: "different text" + onlyIn(before, after),
		Body: []DiffLine{{Op: '-', Text: prose.Quote(before)}, {Op: '+', Text: prose.Quote(after)}}}
}

func multiline(s string) bool { return strings.Contains(strings.TrimSuffix(s, "\n"), "\n") }

// onlyIn says in which respect alone two texts differ, where eyes may miss it.
func onlyIn(before, after string) string {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	switch {
	case squeeze(before) == squeeze(after) && squeeze(after) != "":
		return ", only whitespace differs"
	case len(before) > longText && strings.EqualFold(before, after):
		return ", only case differs"
	}
	return ""
}

// lineDifference compares texts of several lines.
func lineDifference(before, after string, arrow Arrow) difference {
	x, y := heredoc(before), heredoc(after)
	switch {
	case before == "":
		return difference{Value: arrow.From + " -> " + prose.Count(len(y), "line"), Body: signed('+', y)}
	case after == "":
		return difference{Value: prose.Count(len(x), "line") + " -> " + arrow.To, Body: signed('-', x)}
	}
	// Invisible differences are described: spaces at the end of a line, and a missing final
	// newline.
	if x[len(x)-1] == y[len(y)-1] { // else it is plain that something happens there
		switch endsX, endsY := strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n"); {
		case endsX && !endsY:
			y = append(y, noNewline)
		case endsY && !endsX:
			x = append(x, noNewline)
		}
	}
	lines := DiffTokens(x, y)
	for i, l := range lines {
		if l.Op != ' ' {
			lines[i].Text = trailing(l.Text)
		}
	}
	return difference{Value: tally(lines, "line") + onlyIn(before, after), Body: fold(inWords(lines), 1)}
}

const noNewline = `\ no newline at the end`

// trailing makes white space at the end of a line visible.
func trailing(line string) string {
	text := strings.TrimRight(line, " ")
	return text + strings.Repeat("·", len(line)-len(text))
}

// inWords joins each long removed line with the added line in its place, if the two
// are similar.
func inWords(lines []DiffLine) []DiffLine {
	run := func(from int, op rune) (to int) {
		for to = from; to < len(lines) && lines[to].Op == op; to++ {
		}
		return to
	}
	var out []DiffLine
	for i := 0; i < len(lines); {
		gone := run(i, '-')
		come := run(gone, '+')
		if n := gone - i; n == 0 || come-gone != n {
			end := max(come, i+1)
			out = append(out, lines[i:end]...)
			i = end
			continue
		}
		var pairs []DiffLine
		joined := false
		for j := range gone - i {
			old, now := lines[i+j], lines[gone+j]
			words, alike := WordDiff(old.Text, now.Text)
			if !alike || prose.Columns(old.Text) <= longText {
				pairs = append(pairs, old, now)
				continue
			}
			joined = true
			pairs = append(pairs, DiffLine{Op: '~', Text: words.String(), Words: words})
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
func tally(lines []DiffLine, what string) string {
	n := map[rune]int{}
	for _, l := range lines {
		if l.Depth == 0 && l.Text != noNewline {
			n[l.Op]++
		}
	}
	var sum []string
	for _, op := range "+-~" {
		if n[op] > 0 {
			sum = append(sum, fmt.Sprintf("%c%d", op, n[op]))
		}
	}
	all := prose.Count(n['-']+n['~']+n[' '], what)
	if len(sum) == 0 {
		return all
	}
	if kept := n['-'] + n['~'] + n[' ']; n['+'] > 0 && len(sum) == 1 && kept > 0 {
		return fmt.Sprintf("%s added to %d", prose.Count(n['+'], what), kept)
	}
	return strings.Join(sum, " ") + " of " + all
}

// fold replaces runs of kept lines by their count, except for context lines
// next to a change.
func fold(lines []DiffLine, context int) []DiffLine {
	var folded []DiffLine
	hidden := 0
	flush := func() {
		if hidden > 0 {
			folded = append(folded, DiffLine{Op: '…', Text: fmt.Sprintf("%d unchanged", hidden)})
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

// near reports whether a line is a change or context of one.
func near(lines []DiffLine, i, context int) bool {
	lo, hi := max(0, i-context), min(len(lines), i+context+1)
	return slices.ContainsFunc(lines[lo:hi], func(l DiffLine) bool { return l.Op != ' ' || l.Depth > 0 })
}

var wordPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]|[\pL\pN\pM_]+|\s+|.`)
})

// keptAround is how much of a long stretch that stays is shown at either end
// of it.
const keptAround = 24

// Words are two texts in one, word by word.
type Words []Stretch

// String marks what differs: [-old-]{+new+}, the form known from git.
func (w Words) String() string {
	var b strings.Builder
	for _, s := range w {
		switch text := s.String(); s.Op {
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

// WordDiff returns the difference of two texts. alike is false if less than half is common.
func WordDiff(before, after string) (w Words, alike bool) {
	common := 0
	all := diffs(wordPattern().FindAllString(before, -1), wordPattern().FindAllString(after, -1))
	for i, d := range all {
		text := d.String()
		if d.Op == ' ' {
			common += len(text)
			text = shorten(text, i > 0, i < len(all)-1)
		}
		w = append(w, Stretch{d.Op, []string{text}})
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
