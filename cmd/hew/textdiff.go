package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Long values are not printed twice: only what differs between them is. The
// limits are in characters, and say from where on an arrow reads badly.
const (
	longText = 40
	longLine = 60
	longList = 100 // that stands alone, without an arrow
)

// diffLine is a line of a difference: added, removed, kept, or (…) a count of
// the kept lines that are not printed.
type diffLine struct {
	op   rune // + - ' ' …
	text string
}

// difference renders a change of value: on one line where that reads well,
// else as a summary and the lines below it.
func difference(a *schema.Attr, before, after cty.Value) (string, []diffLine) {
	plain := fmt.Sprintf("%s -> %s", spell(a, before), spell(a, after))
	if a.Show != nil {
		return plain, nil
	}
	if x, y, ok := texts(before, after); ok {
		switch {
		case strings.Contains(x+y, "\n"):
			lines := diffTokens(heredocOrNone(x), heredocOrNone(y))
			return tally(lines, "lines"), fold(lines, 1)
		case len(x) > longText && len(y) > longText:
			if words, alike := wordDiff(quote(x), quote(y)); alike {
				return words, nil
			}
		}
		return plain, nil
	}
	if len(plain) > longLine && iterable(before) && iterable(after) {
		lines := diffTokens(entries(before), entries(after))
		return tally(lines, "elements"), fold(lines, 0)
	}
	return plain, nil
}

// stated renders the value of something new.
func stated(a *schema.Attr, v cty.Value) (string, []diffLine) {
	if _, s, ok := texts(cty.NullVal(cty.String), v); ok && !a.Secret && a.Show == nil && strings.Contains(s, "\n") {
		lines := diffTokens(nil, heredoc(s))
		return fmt.Sprintf("%d lines", len(lines)), lines
	}
	plain := spell(a, v)
	if len(plain) > longList && iterable(v) {
		lines := diffTokens(nil, entries(v))
		return count(len(lines), "element"), lines
	}
	return plain, nil
}

// texts returns two strings, null as "", if both values are known strings and
// not both null.
func texts(before, after cty.Value) (x, y string, ok bool) {
	read := func(v cty.Value) (string, bool) {
		switch {
		case v == cty.NilVal || v.IsMarked() || !v.IsKnown():
			return "", false
		case v.IsNull():
			return "", true
		case v.Type() != cty.String:
			return "", false
		}
		return v.AsString(), true
	}
	x, okX := read(before)
	y, okY := read(after)
	return x, y, okX && okY && x+y != ""
}

func heredocOrNone(s string) []string {
	if s == "" {
		return nil
	}
	return heredoc(s)
}

func iterable(v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.CanIterateElements()
}

// tally sums a difference up: "+2 -1 of 14 lines".
func tally(lines []diffLine, what string) string {
	count := map[rune]int{}
	for _, l := range lines {
		count[l.op]++
	}
	return fmt.Sprintf("+%d -%d of %d %s", count['+'], count['-'], count['-']+count[' '], what)
}

// fold replaces runs of kept lines by their count, except for context lines
// next to a change.
func fold(lines []diffLine, context int) []diffLine {
	near := func(i int) bool {
		lo, hi := max(0, i-context), min(len(lines), i+context+1)
		return slices.ContainsFunc(lines[lo:hi], func(l diffLine) bool { return l.op != ' ' })
	}
	var folded []diffLine
	hidden := 0
	flush := func() {
		if hidden > 0 {
			folded = append(folded, diffLine{'…', fmt.Sprintf("%d unchanged", hidden)})
			hidden = 0
		}
	}
	for i, l := range lines {
		if !near(i) {
			hidden++
			continue
		}
		flush()
		folded = append(folded, l)
	}
	flush()
	return folded
}

var wordPattern = regexp.MustCompile(`[\pL\pN_]+|\s+|.`)

// wordDiff marks what differs between two texts: [-old-]{+new+}, the form
// known from git. It is of no use where less than a half is common.
func wordDiff(before, after string) (marked string, alike bool) {
	var b strings.Builder
	common := 0
	for _, d := range diffs(wordPattern.FindAllString(before, -1), wordPattern.FindAllString(after, -1)) {
		text := strings.Join(d.tokens, "")
		switch d.op {
		case '-':
			b.WriteString("[-" + text + "-]")
		case '+':
			b.WriteString("{+" + text + "+}")
		default:
			common += len(text)
			b.WriteString(text)
		}
	}
	return b.String(), 2*common >= min(len(before), len(after))
}

func diffTokens(before, after []string) []diffLine {
	var lines []diffLine
	for _, d := range diffs(before, after) {
		for _, t := range d.tokens {
			lines = append(lines, diffLine{d.op, t})
		}
	}
	return lines
}

// stretch is a number of tokens with one fate.
type stretch struct {
	op     rune
	tokens []string
}

var ops = map[diffmatchpatch.Operation]rune{
	diffmatchpatch.DiffInsert: '+', diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffEqual: ' ',
}

// diffs compares token by token. The library compares characters, so each
// distinct token becomes one.
func diffs(before, after []string) []stretch {
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
	var runs []stretch
	for _, d := range differ.DiffCleanupMerge(differ.DiffMainRunes(encode(before), encode(after), false)) {
		r := stretch{op: ops[d.Type]}
		for _, c := range d.Text {
			if c >= 0xE000 {
				c -= 0x800
			}
			r.tokens = append(r.tokens, tokens[c])
		}
		runs = append(runs, r)
	}
	return runs
}
