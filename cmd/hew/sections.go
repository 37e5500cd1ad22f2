package main

import (
	"slices"
	"strings"

	"github.com/mitchellh/go-wordwrap"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// blocked tells what could not be planned: each cause once, and with it what
// waits for that, directly or not.
func (t *text) blocked(all []config.Blocked) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("%s\n", t.paint.in(red, "Not planned, "+count(len(all), "object")+":"))
	causes, waiting := causesOf(all)
	for _, b := range causes {
		t.printf("  ")
		t.cells(2, causeAt, clean(b.Addr.String()), where(&b.Decl), "", clean(b.Addr.String()))
		t.paragraph(6, sentence(b.Why))
		if len(b.By) > 0 {
			t.paragraph(6, "It waits for "+list(b.By)+".")
		}
		if w := waiting[b.Addr]; len(w) > 0 {
			t.paragraph(6, count(len(w), "other waits for that", "others wait for that")+": "+list(w)+".")
		}
	}
}

// causesOf parts what is blocked by itself, or by what is not in the list, from
// what waits for it.
func causesOf(all []config.Blocked) (causes []config.Blocked, waiting map[addr.Instance][]addr.Instance) {
	listed := make(map[addr.Instance]config.Blocked, len(all))
	for _, b := range all {
		listed[b.Addr] = b
	}
	waiting = map[addr.Instance][]addr.Instance{}
	for _, b := range all {
		cause := b
		for seen := map[addr.Instance]bool{}; !seen[cause.Addr]; {
			seen[cause.Addr] = true
			if i := slices.IndexFunc(cause.By, func(a addr.Instance) bool { _, in := listed[a]; return in }); i >= 0 {
				cause = listed[cause.By[i]]
			}
		}
		if cause.Addr == b.Addr {
			causes = append(causes, b)
		} else {
			waiting[cause.Addr] = append(waiting[cause.Addr], b.Addr)
		}
	}
	return causes, waiting
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

// checks tells of the assertions that do not hold, and of the checks that
// cannot be told yet. Those that hold are only counted, and only where one
// fails.
func (t *text) checks(all []config.Check) {
	verdicts := map[string]map[config.Verdict]bool{} // of all assertions of a check
	var names []string
	bad := 0
	for _, c := range all {
		if verdicts[c.Name] == nil {
			verdicts[c.Name] = map[config.Verdict]bool{}
			names = append(names, c.Name)
		}
		verdicts[c.Name][c.Verdict] = true
		if c.Verdict == config.Fails || c.Verdict == config.Errs {
			bad++
			t.check(c)
		}
	}
	good := 0
	var pending []string
	for _, name := range names {
		switch v := verdicts[name]; {
		case v[config.Fails] || v[config.Errs]:
		case v[config.Pending]:
			pending = append(pending, name)
		default:
			good++
		}
	}
	if bad > 0 && good > 0 {
		t.printf("%s\n", t.paint.in(dim, count(good, "other check holds", "other checks hold")+"."))
	}
	if len(pending) > 0 {
		t.gap()
	}
	for _, name := range pending {
		t.printf("%s\n", t.paint.in(dim, "Not known yet: whether "+clean(name)+" holds"))
	}
}

// check tells of an assertion that does not hold.
func (t *text) check(c config.Check) {
	t.gap()
	title, said := clean(c.Name)+" does not hold", c.Text // as its author wrote it
	if c.Verdict == config.Errs {
		title, said = clean(c.Name)+" cannot be worked out", sentence(c.Text)
	}
	t.cells(0, causeAt, "Warning: "+title, where(&c.Decl), "", t.paint.in(yellow, "Warning:")+" "+t.paint.in(bold, title))
	t.paragraph(2, said)
}

// outputs prints the outputs by name, as configuration would write them.
func (t *text) outputs(all []config.Output) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("Outputs:\n")
	for _, o := range slices.SortedFunc(slices.Values(all), func(x, y config.Output) int { return strings.Compare(x.Name, y.Name) }) {
		value := secret
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
