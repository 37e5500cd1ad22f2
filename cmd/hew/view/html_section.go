package view

import (
	"fmt"
	"html"
	"html/template"
	"maps"
	"slices"
	"strings"
	"unicode"

	"hew/reconcile/config"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// webSection is a part of the page beside the changes.
type webSection struct {
	Title string
	Tone  string // bad, warn or ""
	Notes []webNote
}

// webNote is one thing in a section: its name, where it is declared, and what there is to say.
type webNote struct {
	Name, To string // its name leads there, if to anything
	Where    webPlaceLink
	Said     []webText
	Links    []webLink // to what it is about, where that is on the page
	Code     string
}

// webText is a paragraph, or lines of code.
type webText struct {
	Prose template.HTML
	Code  string
}

// First returns the links that are always shown.
func (n webNote) First() []webLink { return n.Links[:min(len(n.Links), prose.MaxListed)] }

// More returns the links that are folded.
func (n webNote) More() []webLink { return n.Links[len(n.First()):] }

// webLink names an object, and the change on the page if there is one.
type webLink struct{ Name, To string }

// webPlaceLink is a place in a file, and the URL of that place, if known.
type webPlaceLink struct{ Text, URL string }

// linked returns a place with its URL.
func (p *webPage) linked(place string) webPlaceLink {
	return webPlaceLink{prose.Clean(place), p.source.file(p.directory, place)}
}

// nameHTML sets a word of a sentence as code, unless it is only a sign.
func nameHTML(s string) string {
	if !strings.ContainsFunc(s, unicode.IsLetter) {
		return html.EscapeString(s)
	}
	return verbatimHTML(s)
}

// paragraphs splits a text, with names set as code. Plainly leaves nothing outside of code that
// could be markup.
func paragraphs(s string) (all []webText) {
	for part := range strings.SplitSeq(s, "\n\n") {
		if strings.Contains(part, "\n") {
			all = append(all, webText{Code: prose.CleanLines(part)})
		} else if part != "" {
			all = append(all, webText{Prose: template.HTML(Plainly(part, nameHTML))})
		}
	}
	return all
}

// webSections is a list of sections without empty ones.
type webSections []webSection

func (s *webSections) add(title, tone string, notes []webNote) {
	if len(notes) > 0 {
		*s = append(*s, webSection{title, tone, notes})
	}
}

// order puts errors first, then warnings, then the rest.
func (s webSections) order() {
	level := map[string]int{"bad": 0, "warn": 1, "": 2}
	slices.SortStableFunc(s, func(x, y webSection) int { return level[x.Tone] - level[y.Tone] })
}

func (v *HTML) diagnostics(all []report.Diagnostic) {
	var errors, warnings []webNote
	for _, d := range all {
		n := webNote{Name: d.Gravity() + ": " + prose.Clean(d.Summary), Said: paragraphs(prose.Sentence(d.Detail))}
		if d.Range != nil {
			n.Where = v.page.linked(fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column))
		}
		for _, l := range d.Snippet {
			number := "     …"
			if l.Line > 0 {
				number = fmt.Sprintf("%6d", l.Line)
			}
			n.Code += number + " | " + prose.Clean(l.Code) + "\n"
			if l.Marks != "" {
				n.Code += "       | " + prose.Clean(l.Marks) + "\n"
			}
		}
		if d.IsWarning() {
			warnings = append(warnings, n)
		} else {
			errors = append(errors, n)
		}
	}
	v.page.Alarms.add("Errors", "bad", errors)
	v.page.Alarms.add("Warnings", "warn", warnings)
}

func (v *HTML) guards(d *report.Document) {
	there := map[string]bool{}
	for i := range d.Changes {
		there[prose.Clean(d.Changes[i].Address)] = true
	}
	var notes []webNote
	for _, g := range d.Guards {
		n := webNote{Name: "Guard " + prose.Clean(g.Code), Where: v.page.linked(g.Declared),
			Said: slices.Concat(paragraphs(g.Text), paragraphs(g.Fix))}
		for _, o := range g.Objects {
			l := webLink{Name: prose.Clean(o)}
			if there[l.Name] {
				l.To = v.page.id(l.Name)
			}
			n.Links = append(n.Links, l)
		}
		notes = append(notes, n)
	}
	v.page.Alarms.add("Stopped by "+prose.Count(len(notes), "guard"), "bad", notes)
}

func (v *HTML) blocked(all []report.Blocked) {
	var notes []webNote
	for _, b := range report.BlockedCauses(all) {
		n := webNote{Name: prose.Clean(b.Address), Where: v.page.linked(b.Declared),
			Said: paragraphs(strings.Join(b.Sentences(), " "))}
		for _, a := range b.Waiting[min(len(b.Waiting), prose.MaxListed):] { // the others are in the sentence
			n.Links = append(n.Links, webLink{Name: prose.Clean(a)})
		}
		notes = append(notes, n)
	}
	v.page.Alarms.add("Not planned: "+report.BlockedCount(all), "bad", notes)
}

// failures adds what failed and what was not started.
func (v *HTML) failures(o *report.Outcome) {
	var failed webSections
	for _, part := range []struct {
		title, tone string
		all         []report.Done
	}{{"Failed", "bad", o.Failed}, {"Not started", "warn", o.Skipped}} {
		var notes []webNote
		for _, f := range part.all {
			name := prose.Clean(f.Address)
			notes = append(notes, webNote{Name: f.Action + " " + name, To: v.page.id(name),
				Where: v.page.linked(f.Declared), Said: paragraphs(prose.Sentence(f.Error))})
		}
		failed.add(part.title+": "+prose.Count(len(notes), "change"), part.tone, notes)
	}
	v.page.Alarms = append(failed, v.page.Alarms...)
}

func (v *HTML) checks(all []report.Check) {
	var bad, pending []webNote
	for _, c := range all {
		n := webNote{Where: v.page.linked(c.Declared), Said: paragraphs(prose.Sentence(c.Message))}
		n.Name = c.Headline()
		switch {
		case n.Name == "":
		case config.Verdict(c.Status) == config.CheckUnknown:
			pending = append(pending, n)
		default:
			bad = append(bad, n)
		}
	}
	v.page.Alarms.add("Checks", "warn", bad)
	v.page.Asides.add("Checks not known until apply", "", pending)
}

func (v *HTML) undeclared(all []report.Undeclared) {
	var notes []webNote
	for _, r := range report.UndeclaredRows(all) {
		text := strings.Join(append(prose.NonEmpty(r.Of), prose.NonEmpty(r.Origin)...), ", ")
		notes = append(notes, webNote{Name: r.Name, Said: paragraphs(text)})
	}
	v.page.Alarms.add("Undeclared: "+prose.Count(len(all), "object"), "warn", notes)
}

func (v *HTML) outputs(all map[string]report.Output) {
	var notes []webNote
	for _, name := range slices.Sorted(maps.Keys(all)) {
		notes = append(notes, webNote{Code: prose.Clean(name) + " = " + all[name].Pretty(0)})
	}
	v.page.Asides.add("Outputs", "", notes)
}

func (v *HTML) notes(all []string) {
	var notes []webNote
	for _, n := range all {
		notes = append(notes, webNote{Said: paragraphs(n)})
	}
	v.page.Asides.add("Notes", "", notes)
}

// Adopted shows each file that was written, and what is left.
func (v *HTML) Adopted(j *report.Adoption) {
	v.sum(j.Sum())
	var left, files []webNote
	for _, l := range j.Left {
		left = append(
			left, webNote{Name: l.About(), Where: v.page.linked(l.Declared), Said: paragraphs(prose.Sentence(l.Why))},
		)
	}
	for _, f := range j.Files {
		files = append(files, webNote{Name: prose.Clean(f.Name), Code: prose.CleanLines(f.Diff)})
	}
	v.page.Alarms.add("Not written: "+prose.Count(len(left), "difference"), "warn", left)
	v.page.Asides.add("Written: "+prose.Count(len(files), "file"), "", files)
}
