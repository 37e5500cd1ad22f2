package view

import (
	"maps"
	"slices"
	"strings"

	"github.com/mitchellh/go-wordwrap"

	"hew/reconcile/config"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// blocked prints what could not be planned: each cause once, with what waits for it, directly or
// not.
func (t *Text) blocked(all []report.Blocked) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("%s\n", t.Paint.In(red, "Not planned, "+report.BlockedCount(all)+":"))
	for _, b := range report.BlockedCauses(all) {
		t.Printf("  ")
		t.cells(2, causeAt, prose.Clean(b.Address), b.Declared, "", prose.Clean(b.Address))
		for _, sentence := range b.Sentences() {
			t.Paragraph(6, sentence)
		}
	}
}

func (t *Text) guards(all []report.Guard) {
	for _, g := range all {
		t.Gap()
		t.cells(0, causeAt, "Guard: "+g.Code, g.Declared, "", t.Paint.In(red, "Guard: "+g.Code))
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

// checks prints the assertions that do not hold and the checks that are not known yet. Those that
// hold are only counted, and only where one fails.
func (t *Text) checks(all []report.Check) {
	verdicts := map[string]map[config.Verdict]bool{} // of all assertions of a check
	var names []string
	bad := 0
	for _, c := range all {
		if verdicts[c.Name] == nil {
			verdicts[c.Name] = map[config.Verdict]bool{}
			names = append(names, c.Name)
		}
		verdict := config.Verdict(c.Status)
		verdicts[c.Name][verdict] = true
		if verdict == config.CheckFailed || verdict == config.CheckErrored {
			bad++
			t.check(c)
		}
	}
	good := 0
	var pending []string
	for _, name := range names {
		switch v := verdicts[name]; {
		case v[config.CheckFailed] || v[config.CheckErrored]:
		case v[config.CheckUnknown]:
			pending = append(pending, name)
		default:
			good++
		}
	}
	if bad > 0 && good > 0 {
		t.Printf("%s\n", t.Paint.In(dim, prose.Count(good, "other check passed", "other checks passed")+"."))
	}
	if len(pending) > 0 {
		t.Gap()
	}
	for _, name := range pending {
		check := report.Check{Name: name, Status: string(config.CheckUnknown)}
		t.Printf("%s\n", t.Paint.In(dim, check.Headline()))
	}
}

// check prints an assertion that failed.
func (t *Text) check(c report.Check) {
	t.Gap()
	title, text := c.Headline(), c.Message // as its author wrote it
	if config.Verdict(c.Status) == config.CheckErrored {
		text = prose.Sentence(c.Message)
	}
	t.cells(0, causeAt, "Warning: "+title, c.Declared, "", t.Paint.In(yellow, "Warning:")+" "+t.Paint.In(Bold, title))
	t.Paragraph(2, text)
}

// outputs prints the outputs by name, as configuration would write them.
func (t *Text) outputs(all map[string]report.Output) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("Outputs:\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Printf("  %s = %s\n", prose.Clean(name), all[name].Pretty(2))
	}
}

// Notes prints notes, a paragraph each.
func (t *Text) Notes(all []string) {
	if len(all) > 0 {
		t.Gap()
	}
	for _, n := range all {
		t.Paragraph(0, "Note: "+n)
	}
}

// headline prints the summary, wrapped on a terminal.
func (t *Text) headline(s string) {
	if t.Width > 0 {
		s = wordwrap.WrapString(s, uint(t.Width))
	}
	for line := range strings.SplitSeq(s, "\n") {
		t.Printf("%s\n", t.Paint.In(Bold, line))
	}
}
