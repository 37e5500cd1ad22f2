package report

import (
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Stretch is a run of tokens with the same operation.
type Stretch struct {
	Op     rune
	Tokens []string
}

// String returns the tokens one behind the other.
func (s Stretch) String() string { return strings.Join(s.Tokens, "") }

var ops = map[diffmatchpatch.Operation]rune{
	diffmatchpatch.DiffInsert: '+', diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffEqual: ' ',
}

// tooMuch is how many pairs of tokens are compared at the most. Past that,
// some tenths of a second of work, everything between the common ends counts as changed.
const tooMuch = 1 << 24

// diffs compares token by token.
func diffs(before, after []string) []Stretch {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	x, y := before[head:len(before)-tail], after[head:len(after)-tail]
	var between []Stretch
	switch {
	case len(x) == 0 || len(y) == 0 || len(x)*len(y) > tooMuch:
		between = []Stretch{{'-', x}, {'+', y}}
	default:
		between = compareTokens(x, y)
	}
	all := slices.Concat([]Stretch{{' ', before[:head]}}, between, []Stretch{{' ', before[len(before)-tail:]}})
	return slices.DeleteFunc(all, func(s Stretch) bool { return len(s.Tokens) == 0 })
}

// compareTokens finds the shortest way from one list to the other. The library
// compares characters, so each distinct token becomes one.
func compareTokens(before, after []string) []Stretch {
	index := map[string]rune{}
	var tokens []string
	encode := func(list []string) []rune {
		text := make([]rune, len(list))
		for i, t := range list {
			r, seen := index[t]
			if !seen {
				if r = rune(len(tokens)); r >= 0xD800 {
					r += 0x800 // surrogates are no characters
				}
				index[t] = r
				tokens = append(tokens, t)
			}
			text[i] = r
		}
		return text
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the same input must give the same plan, however busy the machine
	var runs []Stretch
	for _, d := range differ.DiffCleanupMerge(differ.DiffMainRunes(encode(before), encode(after), false)) {
		r := Stretch{Op: ops[d.Type]}
		for _, c := range d.Text {
			if c >= 0xE000 {
				c -= 0x800
			}
			r.Tokens = append(r.Tokens, tokens[c])
		}
		runs = append(runs, r)
	}
	return runs
}

// DiffTokens returns the tokens of two lists, each marked as removed, added or unchanged.
func DiffTokens(before, after []string) []DiffLine {
	var lines []DiffLine
	for _, d := range diffs(before, after) {
		lines = append(lines, signed(d.Op, d.Tokens)...)
	}
	return lines
}

func signed(op rune, texts []string) []DiffLine {
	lines := make([]DiffLine, len(texts))
	for i, t := range texts {
		lines[i] = DiffLine{Op: op, Text: t}
	}
	return lines
}
