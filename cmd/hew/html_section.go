package main

import (
	"fmt"
	"html"
	"html/template"
	"maps"
	"slices"
	"strings"
	"unicode"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// webSection is a part of the page beside the changes.
type webSection struct {
	Title string
	Tone  string // bad, warn or ""
	Notes []webNote
}

// webNote is one thing in it: what it is about, where that is declared, and what there is
// to say of it.
type webNote struct {
	Name, To string // its name leads there, if to anything
	Where    string
	Said     []webText
	Links    []webLink // to what it is about, where that is on the page
	Code     string
}

// webText is a paragraph, or lines to be pasted.
type webText struct {
	Prose template.HTML
	Code  string
}

// First are the links that are always shown; More are folded.
func (n webNote) First() []webLink { return n.Links[:min(len(n.Links), foldAt)] }

// More are the links beyond the first.
func (n webNote) More() []webLink { return n.Links[len(n.First()):] }

// webLink names an object, and the change on the page if there is one.
type webLink struct{ Name, To string }

// nameHTML sets what is in a sentence and no plain word as code, but for signs.
func nameHTML(s string) string {
	if !strings.ContainsFunc(s, unicode.IsLetter) {
		return html.EscapeString(s)
	}
	return verbatimHTML(s)
}

// paragraphs is a text parted, with names set as code. plainly leaves nothing
// outside of code that would be markup.
func paragraphs(s string) (all []webText) {
	for part := range strings.SplitSeq(s, "\n\n") {
		if strings.Contains(part, "\n") {
			all = append(all, webText{Code: cleanLines(part)})
		} else if part != "" {
			all = append(all, webText{Prose: template.HTML(plainly(part, nameHTML))})
		}
	}
	return all
}

// webSections are some of them, those with nothing in them left out.
type webSections []webSection

func (s *webSections) add(title, tone string, notes []webNote) {
	if len(notes) > 0 {
		*s = append(*s, webSection{title, tone, notes})
	}
}

func (v *web) diagnostics(all []jsonDiagnostic) {
	var notes []webNote
	for _, d := range all {
		n := webNote{Name: d.gravity() + ": " + clean(d.Summary), Said: paragraphs(sentence(d.Detail))}
		if d.Range != nil {
			n.Where = clean(fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column))
		}
		for _, l := range d.Snippet {
			number := "     …"
			if l.Line > 0 {
				number = fmt.Sprintf("%6d", l.Line)
			}
			n.Code += number + " | " + clean(l.Code) + "\n"
			if l.Marks != "" {
				n.Code += "       | " + clean(l.Marks) + "\n"
			}
		}
		notes = append(notes, n)
	}
	v.page.Alarms.add("Errors and warnings", "warn", notes)
}

func (v *web) guards(p *plan.Plan) {
	there := map[string]bool{}
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action != plan.NoOp {
			there[clean(c.Addr.String())] = true
		}
	}
	var notes []webNote
	for _, g := range p.Guards {
		n := webNote{Name: "Guard " + clean(g.Code), Where: where(g.Decl), Said: slices.Concat(paragraphs(g.Text), paragraphs(g.Fix))}
		for _, o := range g.Objects {
			l := webLink{Name: clean(o)}
			if there[l.Name] {
				l.To = v.page.id(l.Name)
			}
			n.Links = append(n.Links, l)
		}
		notes = append(notes, n)
	}
	v.page.Alarms.add("Stopped by "+count(len(notes), "guard"), "bad", notes)
}

func (v *web) blocked(all []config.Blocked) {
	causes, waiting := causesOf(all)
	var notes []webNote
	for _, b := range causes {
		n := webNote{Name: clean(b.Addr.String()), Where: where(&b.Decl)}
		why := sentence(b.Why)
		if len(b.By) > 0 {
			why += " It waits for " + list(b.By) + "."
		}
		w := waiting[b.Addr]
		if len(w) > 0 {
			why += " " + count(len(w), "other waits for that", "others wait for that") + "."
		}
		for _, a := range w {
			n.Links = append(n.Links, webLink{Name: clean(a.String())})
		}
		n.Said = paragraphs(why)
		notes = append(notes, n)
	}
	v.page.Alarms.add("Not planned: "+count(len(all), "object"), "bad", notes)
}

// failures are told above all else, but for what is wrong with the configuration.
func (v *web) failures(o *reconcile.Outcome) {
	var failed webSections
	for _, part := range []struct {
		title, tone string
		all         []reconcile.Failure
	}{{"Failed", "bad", o.Failed}, {"Not begun", "warn", o.Skipped}} {
		var notes []webNote
		for _, f := range part.all {
			name := clean(f.Change.Addr.String())
			notes = append(notes, webNote{Name: f.Change.Action.Name() + " " + name, To: v.page.id(name), Where: where(f.Change.Decl), Said: paragraphs(sentence(f.Err.Error()))})
		}
		failed.add(part.title+": "+count(len(notes), "change"), part.tone, notes)
	}
	v.page.Alarms = append(failed, v.page.Alarms...)
}

func (v *web) checks(all []config.Check) {
	var bad, pending []webNote
	for _, c := range all {
		n := webNote{Where: where(&c.Decl), Said: paragraphs(sentence(c.Text))}
		switch c.Verdict {
		case config.Fails:
			n.Name = clean(c.Name) + " does not hold"
		case config.Errs:
			n.Name = clean(c.Name) + " cannot be worked out"
		case config.Pending:
			n.Name = clean(c.Name) + " is not known yet"
			pending = append(pending, n)
			continue
		default:
			continue
		}
		bad = append(bad, n)
	}
	v.page.Alarms.add("Checks", "warn", bad)
	v.page.Asides.add("Checks that cannot be told yet", "", pending)
}

func (v *web) strays(all []plan.Stray) {
	var notes []webNote
	for _, r := range strayRows(all) {
		said := strings.Join(append(nonEmpty(r.of), nonEmpty(r.origin)...), ", ")
		notes = append(notes, webNote{Name: r.name, Said: paragraphs(said)})
	}
	v.page.Alarms.add(straysTitle(all), "warn", notes)
}

func (v *web) outputs(all []config.Output) {
	named := map[string]string{}
	for _, o := range all {
		named[o.Name] = secret
		if !hidden(o) {
			named[o.Name] = pretty(o.Value, 0)
		}
	}
	var notes []webNote
	for _, name := range slices.Sorted(maps.Keys(named)) {
		notes = append(notes, webNote{Code: clean(name) + " = " + named[name]})
	}
	v.page.Asides.add("Outputs", "", notes)
}

func (v *web) notes(all []string) {
	var notes []webNote
	for _, n := range all {
		notes = append(notes, webNote{Said: paragraphs(n)})
	}
	v.page.Asides.add("Notes", "", notes)
}

// Adopted tells of each file, and of what is left.
func (v *web) Adopted(j *jsonAdoption) {
	v.sum(j.sum())
	var left, files []webNote
	for _, l := range j.Left {
		left = append(left, webNote{Name: l.about(), Where: clean(l.Declared), Said: paragraphs(sentence(l.Why))})
	}
	for _, f := range j.Files {
		files = append(files, webNote{Name: clean(f.Name), Code: cleanLines(f.Diff)})
	}
	v.page.Alarms.add("Not written: "+count(len(left), "difference"), "warn", left)
	v.page.Asides.add("Written: "+count(len(files), "file"), "", files)
}
