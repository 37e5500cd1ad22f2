package view

import (
	"fmt"
	"io"

	"hew/reconcile"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Markdown is the view for reviews: a document for a merge request, an issue or a page, which fits
// into a budget and is written on Close. It leaves out requests and seconds, so that the same plan
// gives the same document.
type Markdown struct {
	Out     io.Writer
	Err     Console // for people, who do not see the document
	Command string
	Budget  int
	Compact bool
	Detail  report.Detail
	Source  Source

	Title    string     // behind the command
	Digests  bool       // are shown
	chapters []*chapter // one a directory
}

// current returns the chapter that is being written.
func (m *Markdown) current() *chapter {
	if len(m.chapters) == 0 {
		m.chapters = append(m.chapters, &chapter{directory: m.Source.Directory})
	}
	return m.chapters[len(m.chapters)-1]
}

// sum adds a line at the top of the chapter.
func (m *Markdown) sum(text string) { m.current().sums = append(m.current().sums, "**"+text+"**") }

// add appends a section, unless it is empty.
func (m *Markdown) add(r rank, title string, entries []entry) {
	if len(entries) > 0 {
		m.current().sections = append(m.current().sections, section{title: title, entries: entries, rank: r})
	}
}

// Close writes the document.
func (m *Markdown) Close() error {
	_, err := io.WriteString(m.Out, m.Document())
	return err
}

// Document returns the document so far.
func (m *Markdown) Document() string {
	head := MarkdownHead(m.Command) + m.Title + "\n"
	m.current() // there is one at least
	for _, c := range m.chapters {
		c.order()
		if m.Compact {
			c.compact()
		}
	}
	return head + fitChapters(m.chapters, m.Budget-len(head), m.Command)
}

// Directory begins the chapter of a directory.
func (m *Markdown) Directory(name string, _ int) {
	m.chapters = append(m.chapters, &chapter{name: name})
}

// Note prints a sentence for people; it is not in the document.
func (m *Markdown) Note(text string) { m.Err.Paragraph(0, text) }

// Changed does nothing: the outcome comes at the end.
func (m *Markdown) Changed(reconcile.Event) {}

// Diagnostics shows errors and warnings.
func (m *Markdown) Diagnostics(all []report.Diagnostic) {
	printDiagnostics(m.Err, all)
	m.diagnostics(all)
}

func (m *Markdown) diagnostics(all []report.Diagnostic) {
	var errors, warnings []entry
	for _, d := range all {
		at := ""
		if d.Range != nil {
			at = fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column)
		}
		name := d.Gravity() + ": " + d.Summary
		e := entry{line: m.bullet("**"+Plainly(name, Verbatim)+"**", at, prose.Sentence(d.Detail))}
		if d.IsWarning() {
			warnings = append(warnings, e)
		} else {
			errors = append(errors, e)
		}
	}
	m.add(rankErrors, "Errors", errors)
	m.add(rankWarnings, "Warnings", warnings)
}

// Show shows a saved run.
func (m *Markdown) Show(d *report.Document) {
	m.current().directory = d.Directory
	m.diagnostics(d.Diagnostics)
	showParts(m, d)
}

// Plan shows what stops the plan, then removals, then other changes, the most dangerous first.
func (m *Markdown) Plan(d *report.Document) {
	m.current().directory = d.Directory
	sum := d.Total()
	m.Err.Paragraph(0, sum)
	m.sum(sum)
	groups := report.Groups(d.Shown(), m.Detail)
	m.head(d, groups)
	if m.Digests && d.Applyable && d.Digest != "" {
		m.current().sums = append(m.current().sums, "Digest "+Verbatim(prose.Clean(d.Digest)))
	}
	if d.Ledgerless && m.Command == "drift" {
		m.sum(ledgerless)
	}
	m.guards(d.Guards)
	m.blocked(d.Blocked)
	m.changes(d, groups)
	m.undeclared(d.Undeclared)
	m.checks(d.Checks)
	if m.Command == "plan" && !d.Empty() {
		m.outputs(d.Outputs)
	}
	m.notes(d.Shown().OtherNotes())
}

// Outcome shows what failed or was skipped, and why.
func (m *Markdown) Outcome(d *report.Document) {
	o, text := d.Outcome, sum(d)
	m.Err.Paragraph(0, text)
	m.sum(text)
	if o.Interrupted {
		m.sum("Requests in flight were finished and recorded.")
	}
	m.failures("Failed", o.Failed)
	m.failures("Not started", o.Skipped)
	if len(o.Failed)+len(o.Skipped) == 0 {
		m.outputs(d.Outputs)
	}
	m.checks(o.Checks)
	m.notes(o.Notes)
}

func (m *Markdown) failures(title string, all []report.Done) {
	var entries []entry
	for _, f := range all {
		name := string(f.Sign()) + " " + prose.Clean(f.Address)
		entries = append(entries, entry{line: m.bullet(Verbatim(name), f.Declared, prose.Sentence(f.Error))})
	}
	m.add(rankNotDone, fmt.Sprintf("%s: %s", title, prose.Count(len(all), "change")), entries)
}

// changes splits the plan by what happens to the host.
func (m *Markdown) changes(d *report.Document, groups []report.Group) {
	ranks := map[report.Danger]rank{
		report.Unfound: rankRemovals, report.Removes: rankRemovals, report.DeletedByHand: rankRemovals,
		report.Opens:  rankWiderAccess,
		report.Alters: rankChanges, report.Records: rankLedger,
	}
	parts, order := map[string][]entry{}, []report.Danger{} // the first of each title
	n, others := map[string]int{}, map[string]int{}         // changes of that danger, and what comes with them
	for _, g := range report.MostDangerousFirst(groups) {
		title := d.Heading(g.Danger)
		if parts[title] == nil {
			order = append(order, g.Danger)
		}
		n[title] += g.Grave()
		others[title] += len(g.Changes()) - g.Grave()
		parts[title] = append(parts[title], m.entryOf(&g))
	}
	for _, danger := range order {
		title := d.Heading(danger)
		heading := fmt.Sprintf("%s: %d", title, n[title])
		if more := others[title]; more > 0 {
			heading += ", and " + prose.Count(more, "other change") + " of the same sets"
		}
		m.add(ranks[danger], heading, parts[title])
	}
}
