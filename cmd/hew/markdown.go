package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

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

	sums     []string // one line each, above all else
	sections []section
	left     int // objects that could not be planned
}

// section is a part of the document, with what is in it in the order in which it
// is told.
type section struct {
	title   string
	entries []entry
}

// entry is one thing of a section: on a line, and with all there is to say,
// which is "" where that is no more.
type entry struct{ line, full string }

// add appends a section, if there is anything in it.
func (m *markdown) add(title string, entries []entry) {
	if len(entries) > 0 {
		m.sections = append(m.sections, section{title, entries})
	}
}

func (m *markdown) Close() error {
	_, err := io.WriteString(m.out, m.document())
	return err
}

// document is all that was told so far.
func (m *markdown) document() string {
	head := "### hew " + m.command + "\n"
	for _, s := range m.sums {
		head += "\n**" + s + "**\n"
	}
	sections := m.sections
	if m.compact {
		sections = nil
		for _, s := range m.sections {
			short := section{title: s.title}
			for _, e := range s.entries {
				short.entries = append(short.entries, entry{line: e.line})
			}
			sections = append(sections, short)
		}
	}
	return head + fitted(sections, m.budget-len(head), m.command)
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
		name := strings.ToUpper(d.Severity[:1]) + d.Severity[1:] + ": " + d.Summary
		entries = append(entries, entry{line: bullet("**"+plainly(name, verbatim)+"**", at, sentence(d.Detail))})
	}
	m.add("Errors and warnings", entries)
}

func (m *markdown) Show(d *document, p *plan.Plan, o *reconcile.Outcome) {
	m.diagnostics(d.Diagnostics)
	if d.Planned {
		m.Plan(p)
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
	m.sums = append(m.sums, sum)
	if p.Ledgerless && drift {
		m.sums = append(m.sums, ledgerless)
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
	sum := sum(o, m.left)
	m.err.paragraph(0, sum)
	m.sums = append(m.sums, sum)
	if o.Interrupted {
		m.sums = append(m.sums, "Interrupted: what was in flight is finished and recorded.")
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
	m.add(fmt.Sprintf("%s: %s", title, count(len(all), "change")), entries)
}

// changes parts the plan by what happens to the host.
func (m *markdown) changes(p *plan.Plan) {
	titles := map[danger]string{removes: "Deletions and replacements", opens: "Changes", alters: "Changes", records: "Nothing is sent for these"}
	parts, order := map[string][]entry{}, []string{}
	for _, it := range byDanger(p, foldAt) {
		title := titles[it.danger]
		if parts[title] == nil {
			order = append(order, title)
		}
		parts[title] = append(parts[title], it.markdown())
	}
	for _, title := range order {
		m.add(fmt.Sprintf("%s: %d", title, len(parts[title])), parts[title])
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
	m.add("Stopped by "+count(len(all), "guard"), entries)
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
			why += " " + counted(len(w), "other waits for that", "others wait for that") + ": " + list(w) + "."
		}
		entries = append(entries, entry{line: bullet(verbatim(clean(b.Addr.String())), where(&b.Decl), why)})
	}
	m.add("Not planned: "+count(len(all), "object"), entries)
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
	m.add("Checks", entries)
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
	m.add("Outputs", entries)
}

func (m *markdown) notes(all []string) {
	var entries []entry
	for _, n := range all {
		entries = append(entries, entry{line: "- " + plainly(n, verbatim) + "\n"})
	}
	m.add("Notes", entries)
}
