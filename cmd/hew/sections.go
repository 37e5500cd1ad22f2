package main

import (
	"slices"
	"strings"

	"github.com/mitchellh/go-wordwrap"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
)

func (t *text) blocked(all []config.Blocked) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("%s\n", t.paint.in(red, "Not planned, "+count(len(all), "object")+":"))
	for _, b := range all {
		t.printf("  ")
		t.cells(2, causeAt, clean(b.Addr.String()), where(&b.Decl), "", clean(b.Addr.String()))
		t.paragraph(6, sentence(b.Why))
		if len(b.By) > 0 {
			t.paragraph(6, "It waits for "+list(b.By)+".")
		}
	}
}

func (t *text) guards(all []plan.Finding) {
	for _, g := range all {
		t.gap()
		t.cells(0, causeAt, "Guard: "+g.Code, where(g.Decl), "", t.paint.in(red, "Guard: "+g.Code))
		t.paragraph(2, g.Text)
		for _, o := range g.Objects[:min(len(g.Objects), foldAt)] {
			t.printf("    %s\n", clean(o))
		}
		if more := len(g.Objects) - foldAt; more > 0 {
			t.printf("    … %d more\n", more)
		}
		t.paragraph(2, g.Fix)
	}
}

// checks tells of the checks that do not hold, and of those that cannot be told
// yet. The others are only counted, and only where one fails.
func (t *text) checks(all []config.Check) {
	bad, good := 0, 0
	for _, c := range all {
		switch c.Verdict {
		case config.Holds:
			good++
		case config.Fails, config.Errs:
			bad++
			t.gap()
			title := clean(c.Name) + " does not hold"
			if c.Verdict == config.Errs {
				title = clean(c.Name) + " cannot be worked out"
			}
			t.cells(0, causeAt, "Warning: "+title, where(&c.Decl), "", t.paint.in(yellow, "Warning:")+" "+t.paint.in(bold, title))
			t.paragraph(2, sentence(c.Text))
		}
	}
	if bad > 0 && good > 0 {
		t.printf("%s\n", t.paint.in(dim, counted(good, "other check holds", "other checks hold")+"."))
	}
	for i, c := range slices.DeleteFunc(slices.Clone(all), func(c config.Check) bool { return c.Verdict != config.Pending }) {
		if i == 0 {
			t.gap()
		}
		t.printf("%s\n", t.paint.in(dim, "Not known yet: whether "+clean(c.Name)+" holds"))
	}
}

// outputs prints the outputs by name, as configuration would write them.
func (t *text) outputs(all []config.Output) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("Outputs:\n")
	for _, o := range slices.SortedFunc(slices.Values(all), func(x, y config.Output) int { return strings.Compare(x.Name, y.Name) }) {
		value := "(sensitive)"
		if !hidden(o) {
			value = pretty(o.Value, 2)
		}
		t.printf("  %s = %s\n", clean(o.Name), value)
	}
}

// hidden tells whether nothing of an output may be shown.
func hidden(o config.Output) bool { return o.Sensitive || o.Value != cty.NilVal && o.Value.IsMarked() }

func (t *text) notes(all []string) {
	if len(all) > 0 {
		t.gap()
	}
	for _, n := range all {
		t.paragraph(0, "Note: "+n)
	}
}

// headline writes the line that sums up, wrapped on a terminal.
func (t *text) headline(s string) {
	if t.width > 0 {
		s = wordwrap.WrapString(s, uint(t.width))
	}
	for line := range strings.SplitSeq(s, "\n") {
		t.printf("%s\n", t.paint.in(bold, line))
	}
}
