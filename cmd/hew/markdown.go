package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// markdown is the view for reviews: a document for a merge request, an issue or
// a page, which fits into a budget and is written when it is closed. It says
// nothing of requests and seconds, so that it is the same as long as what it
// tells of is.
type markdown struct {
	out     io.Writer
	err     console // for people, who do not see the document
	command string
	budget  int
	compact bool

	title    string     // behind the command
	digests  bool       // are told
	chapters []*chapter // one a directory
	left     int        // objects that could not be planned
}

// now is the chapter that is being told.
func (m *markdown) now() *chapter {
	if len(m.chapters) == 0 {
		m.chapters = append(m.chapters, &chapter{})
	}
	return m.chapters[len(m.chapters)-1]
}

// sum appends to what stands above all else.
func (m *markdown) sum(said string) { m.now().sums = append(m.now().sums, "**"+said+"**") }

// add appends a section, if there is anything in it.
func (m *markdown) add(r rank, title string, entries []entry) {
	if len(entries) > 0 {
		m.now().sections = append(m.now().sections, section{title: title, entries: entries, rank: r})
	}
}

func (m *markdown) Close() error {
	_, err := io.WriteString(m.out, m.document())
	return err
}

// document is all that was told so far.
func (m *markdown) document() string {
	head := documentHead(m.command) + m.title + "\n"
	m.now() // there is one at least
	if m.compact {
		for _, c := range m.chapters {
			c.compact()
		}
	}
	return head + fitted(m.chapters, m.budget-len(head), m.command)
}

// Directory begins a chapter.
func (m *markdown) Directory(name string, _ exit) {
	m.chapters, m.left = append(m.chapters, &chapter{name: name}), 0
}

func (m *markdown) Note(said string) { m.err.paragraph(0, said) }

func (m *markdown) Changed(reconcile.Event) {}

func (m *markdown) Diagnostics(r report) {
	r.write(m.err)
	m.diagnostics(diagnosticsOf(r))
}

func (m *markdown) diagnostics(all []jsonDiagnostic) {
	var entries []entry
	for _, d := range all {
		at := ""
		if d.Range != nil {
			at = fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column)
		}
		name := d.gravity() + ": " + d.Summary
		entries = append(entries, entry{line: bullet("**"+plainly(name, verbatim)+"**", at, sentence(d.Detail))})
	}
	m.add(wrong, "Errors and warnings", entries)
}

func (m *markdown) Show(d *document, p *plan.Plan, o *reconcile.Outcome) {
	m.diagnostics(d.Diagnostics)
	if d.Planned {
		m.Plan(p)
	}
	if d.Adoption != nil {
		m.Adopted(d.Adoption)
	}
	if o != nil {
		o.Outputs = p.Outputs
		m.Outcome(o)
	}
}

// Plan tells what keeps the plan from being done, then what goes, then what
// else changes, the most dangerous first.
func (m *markdown) Plan(p *plan.Plan) {
	m.left = len(p.Blocked)
	drift := m.command == "drift"
	sum := total(p, drift)
	m.err.paragraph(0, sum)
	m.sum(sum)
	if m.digests && p.Applyable && p.Digest != "" {
		m.now().sums = append(m.now().sums, "Digest "+verbatim(clean(p.Digest)))
	}
	if p.Ledgerless && drift {
		m.sum(ledgerless)
	}
	m.guards(p.Guards)
	m.blocked(p.Blocked)
	m.changes(p)
	m.strays(p.Strays)
	m.checks(p.Checks)
	if m.command == "plan" && !p.Empty() {
		m.outputs(p.Outputs)
	}
	m.notes(p.Notes)
}

// Outcome tells what was left undone and why, below the plan; its sum is above
// that.
func (m *markdown) Outcome(o *reconcile.Outcome) {
	said := sum(o, m.left)
	m.err.paragraph(0, said)
	m.sum(said)
	if o.Interrupted {
		m.sum("Interrupted: what was in flight is finished and recorded.")
	}
	m.failures("Failed", o.Failed)
	m.failures("Not begun", o.Skipped)
	if len(o.Failed)+len(o.Skipped) == 0 {
		m.outputs(o.Outputs)
	}
	m.checks(o.Checks)
	m.notes(o.Notes)
}

func (m *markdown) failures(title string, all []reconcile.Failure) {
	var entries []entry
	for _, f := range all {
		name := string(f.Change.Action) + " " + clean(f.Change.Addr.String())
		entries = append(entries, entry{line: bullet(verbatim(name), where(f.Change.Decl), sentence(f.Err.Error()))})
	}
	m.add(stuck, fmt.Sprintf("%s: %s", title, count(len(all), "change")), entries)
}

// changes parts the plan by what happens to the host.
func (m *markdown) changes(p *plan.Plan) {
	titles := map[danger]string{removes: "Deletions and replacements", opens: "Changes", alters: "Changes", records: "Nothing is sent for these"}
	ranks := map[danger]rank{removes: going, opens: changing, alters: changing, records: recording}
	parts, order := map[string][]entry{}, []dangerous{} // the first of each
	for _, it := range byDanger(p, foldAt) {
		title := titles[it.danger]
		if parts[title] == nil {
			order = append(order, it)
		}
		parts[title] = append(parts[title], it.markdown())
	}
	for _, first := range order {
		title := titles[first.danger]
		m.add(ranks[first.danger], fmt.Sprintf("%s: %d", title, len(parts[title])), parts[title])
	}
}

func (m *markdown) guards(all []plan.Finding) {
	var entries []entry
	for _, g := range all {
		tell := func(most int) string {
			s := bullet("**Guard "+verbatim(g.Code)+"**", where(g.Decl), g.Text)
			for _, o := range g.Objects[:most] {
				s += "  - " + verbatim(clean(o)) + "\n"
			}
			if more := len(g.Objects) - most; more > 0 {
				s += fmt.Sprintf("  - … %d more\n", more)
			}
			return s + "\n" + advice(g.Fix) + "\n"
		}
		e := entry{line: tell(min(len(g.Objects), foldAt))}
		if len(g.Objects) > foldAt {
			e.full = tell(len(g.Objects))
		}
		entries = append(entries, e)
	}
	m.add(stopping, "Stopped by "+count(len(all), "guard"), entries)
}

func (m *markdown) blocked(all []config.Blocked) {
	causes, waiting := causesOf(all)
	var entries []entry
	for _, b := range causes {
		why := sentence(b.Why)
		if len(b.By) > 0 {
			why += " It waits for " + list(b.By) + "."
		}
		if w := waiting[b.Addr]; len(w) > 0 {
			why += " " + count(len(w), "other waits for that", "others wait for that") + ": " + list(w) + "."
		}
		entries = append(entries, entry{line: bullet(verbatim(clean(b.Addr.String())), where(&b.Decl), why)})
	}
	m.add(stuck, "Not planned: "+count(len(all), "object"), entries)
}

func (m *markdown) checks(all []config.Check) {
	var entries []entry
	for _, c := range all {
		said := map[config.Verdict]string{config.Fails: "does not hold", config.Errs: "cannot be worked out", config.Pending: "is not known yet"}[c.Verdict]
		if said == "" {
			continue
		}
		entries = append(entries, entry{line: bullet(verbatim(clean(c.Name))+" "+said, where(&c.Decl), sentence(c.Text))})
	}
	m.add(informing, "Checks", entries)
}

func (m *markdown) outputs(all []config.Output) {
	named := map[string]string{}
	for _, o := range all {
		named[o.Name] = secret
		if !hidden(o) {
			named[o.Name] = literal(o.Value)
		}
	}
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(named)) {
		entries = append(entries, entry{line: "- " + verbatim(clean(name)+" = "+named[name]) + "\n"})
	}
	m.add(informing, "Outputs", entries)
}

func (m *markdown) notes(all []string) {
	var entries []entry
	for _, n := range all {
		entries = append(entries, entry{line: "- " + plainly(n, verbatim) + "\n"})
	}
	m.add(informing, "Notes", entries)
}
