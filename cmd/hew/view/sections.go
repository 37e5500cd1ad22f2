package view

import (
	"slices"
	"strings"

	"github.com/mitchellh/go-wordwrap"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// blocked tells what could not be planned: each cause once, and with it what
// waits for that, directly or not.
func (t *Text) blocked(all []config.Blocked) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("%s\n", t.Paint.In(red, "Not planned, "+prose.Count(len(all), "object")+":"))
	causes, waiting := causesOf(all)
	for _, b := range causes {
		t.Printf("  ")
		t.cells(2, causeAt, prose.Clean(b.Addr.String()), report.Where(&b.Decl), "", prose.Clean(b.Addr.String()))
		t.Paragraph(6, prose.Sentence(b.Why))
		if len(b.By) > 0 {
			t.Paragraph(6, "It waits for "+prose.List(b.By)+".")
		}
		if w := waiting[b.Addr]; len(w) > 0 {
			t.Paragraph(6, prose.Count(len(w), "other waits for that", "others wait for that")+": "+prose.List(w)+".")
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

func (t *Text) guards(all []plan.Finding) {
	for _, g := range all {
		t.Gap()
		t.cells(0, causeAt, "Guard: "+g.Code, report.Where(g.Decl), "", t.Paint.In(red, "Guard: "+g.Code))
		t.Paragraph(2, g.Text)
		for _, o := range g.Objects[:min(len(g.Objects), prose.MaxListed)] {
			t.Printf("    %s\n", prose.Clean(o))
		}
		if more := len(g.Objects) - prose.MaxListed; more > 0 {
			t.Printf("    … %d more\n", more)
		}
		t.Paragraph(2, g.Fix)
	}
}

// checks tells of the assertions that do not hold, and of the checks that
// cannot be told yet. Those that hold are only counted, and only where one
// fails.
func (t *Text) checks(all []config.Check) {
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
		t.Printf("%s\n", t.Paint.In(dim, prose.Count(good, "other check holds", "other checks hold")+"."))
	}
	if len(pending) > 0 {
		t.Gap()
	}
	for _, name := range pending {
		t.Printf("%s\n", t.Paint.In(dim, "Not known yet: whether "+prose.Clean(name)+" holds"))
	}
}

// check tells of an assertion that does not hold.
func (t *Text) check(c config.Check) {
	t.Gap()
	title, said := prose.Clean(c.Name)+" does not hold", c.Text // as its author wrote it
	if c.Verdict == config.Errs {
		title, said = prose.Clean(c.Name)+" cannot be worked out", prose.Sentence(c.Text)
	}
	t.cells(0, causeAt, "Warning: "+title, report.Where(&c.Decl), "", t.Paint.In(yellow, "Warning:")+" "+t.Paint.In(Bold, title))
	t.Paragraph(2, said)
}

// outputs prints the outputs by name, as configuration would write them.
func (t *Text) outputs(all []config.Output) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("Outputs:\n")
	for _, o := range slices.SortedFunc(slices.Values(all), func(x, y config.Output) int { return strings.Compare(x.Name, y.Name) }) {
		value := report.Secret
		if !report.Hidden(o) {
			value = report.Pretty(o.Value, 2)
		}
		t.Printf("  %s = %s\n", prose.Clean(o.Name), value)
	}
}

func (t *Text) Notes(all []string) {
	if len(all) > 0 {
		t.Gap()
	}
	for _, n := range all {
		t.Paragraph(0, "Note: "+n)
	}
}

// headline writes the line that sums up, wrapped on a terminal.
func (t *Text) headline(s string) {
	if t.Width > 0 {
		s = wordwrap.WrapString(s, uint(t.Width))
	}
	for line := range strings.SplitSeq(s, "\n") {
		t.Printf("%s\n", t.Paint.In(Bold, line))
	}
}
