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
	t.Printf("%s\n", t.Paint.In(red, "Not planned, "+blockedCount(all)+":"))
	causes, waiting := causesOf(all)
	for _, b := range causes {
		t.Printf("  ")
		t.cells(2, causeAt, prose.Clean(b.Address), b.Declared, "", prose.Clean(b.Address))
		t.Paragraph(6, prose.Sentence(b.Why))
		if len(b.By) > 0 {
			t.Paragraph(6, "Blocked by "+listed(b.By)+".")
		}
		if w := waiting[b.Address]; len(w) > 0 {
			t.Paragraph(6, "Blocks "+prose.Count(len(w), "other object")+": "+listed(w)+".")
		}
	}
}

// blockedCount counts what could not be planned, and the causes if there are fewer, because only
// these are listed.
func blockedCount(all []report.Blocked) string {
	count := prose.Count(len(all), "object")
	if causes, _ := causesOf(all); len(causes) < len(all) {
		count += " (" + prose.Count(len(causes), "cause") + ")"
	}
	return count
}

// causesOf separates what is blocked by itself, or by something not in the list, from what waits
// for it.
func causesOf(all []report.Blocked) (causes []report.Blocked, waiting map[string][]string) {
	blocked := make(map[string]report.Blocked, len(all))
	for _, b := range all {
		blocked[b.Address] = b
	}
	waiting = map[string][]string{}
	for _, b := range all {
		cause := b
		for seen := map[string]bool{}; !seen[cause.Address]; {
			seen[cause.Address] = true
			if i := slices.IndexFunc(cause.By, func(a string) bool { _, in := blocked[a]; return in }); i >= 0 {
				cause = blocked[cause.By[i]]
			}
		}
		if cause.Address == b.Address {
			causes = append(causes, b)
		} else {
			waiting[cause.Address] = append(waiting[cause.Address], b.Address)
		}
	}
	return causes, waiting
}

// listed joins the first few addresses for a sentence.
func listed(addresses []string) string {
	clean := make([]string, len(addresses))
	for i, a := range addresses {
		clean[i] = prose.Clean(a)
	}
	return prose.SomeOf(clean)
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
		t.Printf("%s\n", t.Paint.In(dim, prose.Clean(name)+" is not known until apply"))
	}
}

// check prints an assertion that failed.
func (t *Text) check(c report.Check) {
	t.Gap()
	title, said := prose.Clean(c.Name)+" failed", c.Message // as its author wrote it
	if config.Verdict(c.Status) == config.CheckErrored {
		title, said = prose.Clean(c.Name)+" could not be evaluated", prose.Sentence(c.Message)
	}
	t.cells(0, causeAt, "Warning: "+title, c.Declared, "", t.Paint.In(yellow, "Warning:")+" "+t.Paint.In(Bold, title))
	t.Paragraph(2, said)
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
