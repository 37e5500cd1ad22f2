package view

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Markdown is the view for reviews: a document for a merge request, an issue or a page, which fits
// into a budget and is written when it is closed. It says nothing of requests and seconds, so that it
// is the same as long as what it tells of is.
type Markdown struct {
	Out     io.Writer
	Err     Console // for people, who do not see the document
	Command string
	Budget  int
	Compact bool

	Title    string     // behind the command
	Digests  bool       // are told
	chapters []*chapter // one a directory
	left     int        // objects that could not be planned
}

// now is the chapter that is being told.
func (m *Markdown) now() *chapter {
	if len(m.chapters) == 0 {
		m.chapters = append(m.chapters, &chapter{})
	}
	return m.chapters[len(m.chapters)-1]
}

// sum appends to what stands above all else.
func (m *Markdown) sum(said string) { m.now().sums = append(m.now().sums, "**"+said+"**") }

// add appends a section, if there is anything in it.
func (m *Markdown) add(r rank, title string, entries []entry) {
	if len(entries) > 0 {
		m.now().sections = append(m.now().sections, section{title: title, entries: entries, rank: r})
	}
}

func (m *Markdown) Close() error {
	_, err := io.WriteString(m.Out, m.Document())
	return err
}

// Document is all that was told so far.
func (m *Markdown) Document() string {
	head := MarkdownHead(m.Command) + m.Title + "\n"
	m.now() // there is one at least
	if m.Compact {
		for _, c := range m.chapters {
			c.compact()
		}
	}
	return head + fitted(m.chapters, m.Budget-len(head), m.Command)
}

// Directory begins a chapter.
func (m *Markdown) Directory(name string, _ int) {
	m.chapters, m.left = append(m.chapters, &chapter{name: name}), 0
}

func (m *Markdown) Note(said string) { m.Err.Paragraph(0, said) }

func (m *Markdown) Changed(reconcile.Event) {}

func (m *Markdown) Diagnostics(r report.Diagnostics) {
	WriteDiagnostics(r, m.Err)
	m.diagnostics(report.DiagnosticsOf(r))
}

func (m *Markdown) diagnostics(all []report.Diagnostic) {
	var entries []entry
	for _, d := range all {
		at := ""
		if d.Range != nil {
			at = fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column)
		}
		name := d.Gravity() + ": " + d.Summary
		entries = append(entries, entry{line: bullet("**"+Plainly(name, Verbatim)+"**", at, prose.Sentence(d.Detail))})
	}
	m.add(wrong, "Errors and warnings", entries)
}

func (m *Markdown) Show(d *report.Document, p *plan.Plan, o *apply.Outcome) {
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
func (m *Markdown) Plan(p *plan.Plan) {
	m.left = len(p.Blocked)
	drift := m.Command == "drift"
	sum := report.Total(p, drift)
	m.Err.Paragraph(0, sum)
	m.sum(sum)
	if m.Digests && p.Applyable && p.Digest != "" {
		m.now().sums = append(m.now().sums, "Digest "+Verbatim(prose.Clean(p.Digest)))
	}
	if p.Ledgerless && drift {
		m.sum(ledgerless)
	}
	m.guards(p.Guards)
	m.blocked(p.Blocked)
	m.changes(p)
	m.strays(p.Strays)
	m.checks(p.Checks)
	if m.Command == "plan" && !p.Empty() {
		m.outputs(p.Outputs)
	}
	m.notes(p.Notes)
}

// Outcome tells what was left undone and why, below the plan; its sum is above
// that.
func (m *Markdown) Outcome(o *apply.Outcome) {
	said := sum(o, m.left)
	m.Err.Paragraph(0, said)
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

func (m *Markdown) failures(title string, all []apply.Failure) {
	var entries []entry
	for _, f := range all {
		name := string(f.Change.Action) + " " + prose.Clean(f.Change.Addr.String())
		entries = append(entries, entry{line: bullet(Verbatim(name), report.Where(f.Change.Decl), prose.Sentence(f.Err.Error()))})
	}
	m.add(stuck, fmt.Sprintf("%s: %s", title, prose.Count(len(all), "change")), entries)
}

// changes parts the plan by what happens to the host.
func (m *Markdown) changes(p *plan.Plan) {
	titles := map[report.Danger]string{report.Removes: "Deletions and replacements", report.Opens: "Changes", report.Alters: "Changes", report.Records: "Nothing is sent for these"}
	ranks := map[report.Danger]rank{report.Removes: going, report.Opens: changing, report.Alters: changing, report.Records: recording}
	parts, order := map[string][]entry{}, []report.Ranked{} // the first of each
	for _, it := range report.ByDanger(p, prose.MaxListed) {
		title := titles[it.Danger]
		if parts[title] == nil {
			order = append(order, it)
		}
		parts[title] = append(parts[title], markdownEntry(it))
	}
	for _, first := range order {
		title := titles[first.Danger]
		m.add(ranks[first.Danger], fmt.Sprintf("%s: %d", title, len(parts[title])), parts[title])
	}
}

func (m *Markdown) guards(all []plan.Finding) {
	var entries []entry
	for _, g := range all {
		tell := func(most int) string {
			s := bullet("**Guard "+Verbatim(g.Code)+"**", report.Where(g.Decl), g.Text)
			for _, o := range g.Objects[:most] {
				s += "  - " + Verbatim(prose.Clean(o)) + "\n"
			}
			if more := len(g.Objects) - most; more > 0 {
				s += fmt.Sprintf("  - … %d more\n", more)
			}
			return s + "\n" + advice(g.Fix) + "\n"
		}
		e := entry{line: tell(min(len(g.Objects), prose.MaxListed))}
		if len(g.Objects) > prose.MaxListed {
			e.full = tell(len(g.Objects))
		}
		entries = append(entries, e)
	}
	m.add(stopping, "Stopped by "+prose.Count(len(all), "guard"), entries)
}

func (m *Markdown) blocked(all []config.Blocked) {
	causes, waiting := causesOf(all)
	var entries []entry
	for _, b := range causes {
		why := prose.Sentence(b.Why)
		if len(b.By) > 0 {
			why += " It waits for " + prose.List(b.By) + "."
		}
		if w := waiting[b.Addr]; len(w) > 0 {
			why += " " + prose.Count(len(w), "other waits for that", "others wait for that") + ": " + prose.List(w) + "."
		}
		entries = append(entries, entry{line: bullet(Verbatim(prose.Clean(b.Addr.String())), report.Where(&b.Decl), why)})
	}
	m.add(stuck, "Not planned: "+prose.Count(len(all), "object"), entries)
}

func (m *Markdown) checks(all []config.Check) {
	var entries []entry
	for _, c := range all {
		said := map[config.Verdict]string{config.Fails: "does not hold", config.Errs: "cannot be worked out", config.Pending: "is not known yet"}[c.Verdict]
		if said == "" {
			continue
		}
		entries = append(entries, entry{line: bullet(Verbatim(prose.Clean(c.Name))+" "+said, report.Where(&c.Decl), prose.Sentence(c.Text))})
	}
	m.add(informing, "Checks", entries)
}

func (m *Markdown) outputs(all []config.Output) {
	named := map[string]string{}
	for _, o := range all {
		named[o.Name] = report.Secret
		if !report.Hidden(o) {
			named[o.Name] = report.Literal(o.Value)
		}
	}
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(named)) {
		entries = append(entries, entry{line: "- " + Verbatim(prose.Clean(name)+" = "+named[name]) + "\n"})
	}
	m.add(informing, "Outputs", entries)
}

func (m *Markdown) notes(all []string) {
	var entries []entry
	for _, n := range all {
		entries = append(entries, entry{line: "- " + Plainly(n, Verbatim) + "\n"})
	}
	m.add(informing, "Notes", entries)
}
