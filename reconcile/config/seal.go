package config

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// seal makes diagnostics fit to be shown: each once, in the order of files and
// lines, places in the form that editors know, nothing of secrets, and without
// what they hold on to for printing values, which hew never does.
func (c *Config) seal(diags hcl.Diagnostics) hcl.Diagnostics {
	if len(diags) == 0 {
		return nil
	}
	out := make(hcl.Diagnostics, len(diags))
	for i, d := range diags {
		fit := *d
		fit.Expression, fit.EvalContext, fit.Extra = nil, nil, nil
		fit.Detail = sentence(shortPlaces.ReplaceAllString(c.discreet(fit.Detail, fit.Subject), "$1:$2:$3"))
		out[i] = &fit
	}
	slices.SortStableFunc(out, inPlace)
	return few(out)
}

// shortPlaces are places as HCL prints them: main.hcl:2,3-7.
var shortPlaces = regexp.MustCompile(`(\S+):(\d+),(\d+)-\d+(?:,\d+)?`)

func sentence(s string) string {
	s = strings.TrimSpace(s)
	if last, _ := utf8.DecodeLastRuneInString(s); s == "" || strings.ContainsRune(".?!)}…", last) {
		return s
	}
	return s + "."
}

// inPlace orders by file and line; what stands nowhere comes last.
func inPlace(a, b *hcl.Diagnostic) int {
	switch {
	case a.Subject == nil && b.Subject == nil:
		return 0
	case a.Subject == nil:
		return 1
	case b.Subject == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
}

// few keeps each diagnostic once, and of those that many instances have at one
// place the first ones.
func few(diags hcl.Diagnostics) (out hcl.Diagnostics) {
	const most = 3
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
		if t := (text{p, d.Detail}); seen[t] {
			continue
		} else {
			seen[t] = true
		}
		if count[p]++; count[p] <= most || d.Subject == nil {
			out = append(out, d)
			last[p] = d
		}
	}
	for p, d := range last {
		if more := count[p] - most; more > 0 && d.Subject != nil {
			d.Detail += fmt.Sprintf(" (There are %d more of these here.)", more)
		}
	}
	return out
}

// discreet takes words of a secret that stands at a place out of what is told
// of it: people forget quotes, and a message would quote what it cannot read.
func (c *Config) discreet(text string, at *hcl.Range) string {
	if at == nil {
		return text
	}
	const short = 4 // nothing so short is a secret, and all texts are full of it
	for _, m := range c.masks {
		src := c.files[m.Filename]
		if m.Filename != at.Filename || !touches(m, *at) || !m.CanSliceBytes(src) {
			continue
		}
		for _, word := range bytes.FieldsFunc(m.SliceBytes(src), func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,:=(){}[]", r) }) {
			if len(word) >= short {
				text = strings.ReplaceAll(text, string(word), "****")
			}
		}
	}
	return text
}

func touches(a, b hcl.Range) bool { return a.Start.Byte <= b.End.Byte && b.Start.Byte <= a.End.Byte }
