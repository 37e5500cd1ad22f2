package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/pattern"
)

// seal returns diagnostics that can be shown: each once, in the order of files and lines,
// with places in the form that editors link, without secrets, and without the values that
// HCL attaches.
func (c *Config) seal(diags hcl.Diagnostics) hcl.Diagnostics {
	if len(diags) == 0 {
		return nil
	}
	out := make(hcl.Diagnostics, len(diags))
	for i, d := range diags {
		fit := *d
		fit.Detail = appendSentence(fit.Detail, suggestAttribute(d))
		for _, word := range slices.Concat(c.secretWords(d.Subject), secretValues(d)) {
			fit.Detail = strings.ReplaceAll(fit.Detail, word, "****")
		}
		fit.Detail = endSentence(shortPlaces().ReplaceAllString(fit.Detail, "$1:$2:$3"))
		out[i] = &fit
	}
	slices.SortStableFunc(out, comparePlaces)
	out = limitRepeats(out)
	for _, d := range out {
		d.Expression, d.EvalContext, d.Extra = nil, nil, nil
	}
	return out
}

// shortPlaces matches places as HCL prints them: main.hcl:2,3-7.
var shortPlaces = pattern.Lazy(`(\S+):(\d+),(\d+)-\d+(?:,\d+)?`)

func endSentence(s string) string {
	s = strings.TrimSpace(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	if s == "" || strings.ContainsRune(".?!}…", last) || strings.HasSuffix(s, ".)") {
		return s
	}
	return s + "."
}

// comparePlaces orders diagnostics by file and line. Those without a place come last.
func comparePlaces(a, b *hcl.Diagnostic) int {
	switch {
	case a.Subject == nil && b.Subject == nil:
		return 0
	case a.Subject == nil:
		return 1
	case b.Subject == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(a.Subject.Filename, b.Subject.Filename),
		cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
}

// limitRepeats returns each diagnostic once, and only the first few of those that many
// instances have at one place.
func limitRepeats(diags hcl.Diagnostics) (out hcl.Diagnostics) {
	const most = 5
	type place struct {
		summary string
		at      hcl.Range
	}
	type text struct {
		place
		detail string
	}
	seen, count, last := map[text]bool{}, map[place]int{}, map[place]*hcl.Diagnostic{}
	for _, d := range diags {
		p := place{summary: d.Summary}
		if d.Subject != nil {
			p.at = *d.Subject
		}
		t := text{p, d.Detail}
		if d.Expression != nil { // HCL's details differ by the types in each instance
			t.detail = ""
		}
		if seen[t] {
			continue
		}
		seen[t] = true
		if count[p]++; count[p] <= most || d.Subject == nil {
			out = append(out, d)
			last[p] = d
		}
	}
	for p, d := range last {
		if more := count[p] - most; more > 0 && d.Subject != nil {
			d.Detail += fmt.Sprintf(" (And %d more like this.)", more)
		}
	}
	return out
}

// short is the length up to which words are too common to be masked.
const short = 3

// secretWords returns the words of a secret at a place. A secret without quotes is a name
// to HCL, which quotes it in errors.
func (c *Config) secretWords(at *hcl.Range) (words []string) {
	if at == nil {
		return nil
	}
	for _, m := range c.masks {
		src := c.files[m.Filename]
		if m.Filename != at.Filename || !m.CanSliceBytes(src) || !overlapsMask(m, *at) {
			continue
		}
		between := func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,:=(){}[]", r) }
		for word := range strings.FieldsFuncSeq(string(m.SliceBytes(src)), between) {
			if len(word) > short {
				words = append(words, word)
			}
		}
	}
	return words
}

// overlapsMask reports whether a diagnostic's place overlaps a mask.
func overlapsMask(masked, at hcl.Range) bool {
	if at.Empty() {
		return masked.Start.Byte <= at.Start.Byte && at.Start.Byte <= masked.End.Byte
	}
	return masked.Start.Byte < at.End.Byte && at.Start.Byte < masked.End.Byte
}

// secretValues returns the secret strings in an expression with errors, since HCL quotes
// some values, such as duplicate keys.
func secretValues(d *hcl.Diagnostic) (words []string) {
	if d.Expression == nil || d.EvalContext == nil {
		return nil
	}
	values := make([]cty.Value, 0, 4)
	v, _ := d.Expression.Value(d.EvalContext)
	values = append(values, v)
	for _, t := range d.Expression.Variables() {
		v, _ := t.TraverseAbs(d.EvalContext)
		values = append(values, v)
	}
	for _, v := range values {
		if !schema.IsSecret(v) {
			continue
		}
		v, _ = v.UnmarkDeep()
		_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
			if v.Type() == cty.String && v.IsKnown() && !v.IsNull() && len(v.AsString()) > short {
				words = append(words, v.AsString())
			}
			return true, nil
		})
	}
	return words
}
