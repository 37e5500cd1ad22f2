package view

import (
	"bufio"
	"io"
	"slices"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// HTML is the view for a browser: one file that needs nothing else, written when it is
// closed. Like Markdown it says nothing of requests and seconds, so that it is the same
// as long as what it tells of is.
type HTML struct {
	out     io.Writer
	err     Console // for people, who do not see the page
	command string
	version string // of this hew
	compact bool
	page    *webPage // the last of pages, which is being told
	pages   []*webPage
	left    int // objects that could not be planned
}

// webReport is what the template is filled with. What is in it is text, and it becomes
// markup there alone.
type webReport struct {
	Command, Version string
	Pages            []*webPage
	webTallies
}

// Anchor is what a page that is one of several is linked to by.
func (p *webPage) Anchor() string { return p.id("") }

// Several tells whether the run was in several directories.
func (r webReport) Several() bool { return len(r.Pages) > 1 }

// webPage is the report of a run in one directory.
type webPage struct {
	Directory string // one of several
	Host      string
	Sums      []string
	Alarms    webSections // what is wrong, and what stops the plan
	Eyes      []webPart   // changes that somebody should look at
	Places    []*webPlace // all others, by where they are
	Asides    webSections
	webTallies
}

// id is what an address is linked to by. Several directories may have the same.
func (p *webPage) id(address string) string {
	if p.Directory != "" {
		return p.Directory + ":" + address
	}
	return address
}

// openAtMost is how many objects are shown with their attributes; of more, people open
// what they care for.
const openAtMost = 40

func NewHTML(out io.Writer, err Console, command, version string, compact bool) *HTML {
	page := &webPage{}
	return &HTML{out: out, err: err, command: command, version: version, compact: compact, page: page, pages: []*webPage{page}}
}

// Directory begins a page of the report.
func (v *HTML) Directory(name string, _ int) {
	if v.page.Directory == "" {
		v.pages = nil
	}
	v.page, v.left = &webPage{Directory: prose.Clean(name)}, 0
	v.pages = append(v.pages, v.page)
}

func (v *HTML) Close() error { return v.write() }

// write writes the pages as one report, as it is made and not all of it first.
func (v *HTML) write() error {
	r := webReport{Command: v.command, Version: v.version, Pages: v.pages}
	for _, p := range v.pages {
		r.join(p.webTallies)
	}
	out := bufio.NewWriterSize(v.out, 1<<16)
	if err := webTemplate().Execute(out, r.sealed()); err != nil {
		return err
	}
	return out.Flush()
}

// sum is a line above all else.
func (v *HTML) sum(s string) {
	v.err.Paragraph(0, s)
	v.page.Sums = append(v.page.Sums, s)
}

func (v *HTML) Note(said string) { v.err.Paragraph(0, said) }

func (v *HTML) Changed(reconcile.Event) {}

func (v *HTML) Diagnostics(r report.Diagnostics) {
	WriteDiagnostics(r, v.err)
	v.diagnostics(report.DiagnosticsOf(r))
}

func (v *HTML) Show(d *report.Document, p *plan.Plan, o *apply.Outcome) {
	v.diagnostics(d.Diagnostics)
	if d.Planned {
		v.Plan(p)
	}
	if d.Adoption != nil {
		v.Adopted(d.Adoption)
	}
	if o != nil {
		o.Outputs = p.Outputs
		v.Outcome(o)
	}
}

// Plan takes what there is to tell at once: an apply changes the plan as it goes.
func (v *HTML) Plan(p *plan.Plan) {
	g := v.page
	v.left = len(p.Blocked)
	drift := v.command == "drift"
	g.Host = prose.Clean(p.Host)
	v.sum(report.Total(p, drift))
	if p.Ledgerless && drift {
		g.Sums = append(g.Sums, ledgerless)
	}
	v.guards(p)
	v.blocked(p.Blocked)
	v.checks(p.Checks)
	v.changes(p)
	v.strays(p.Strays)
	if v.command == "plan" && !p.Empty() {
		v.outputs(p.Outputs)
	}
	v.notes(p.Notes)
}

// changes parts the plan by what somebody should look at, and the rest by where it is.
func (v *HTML) changes(p *plan.Plan) {
	all := report.ByDanger(p, len(p.Changes))
	guarded := map[string]bool{}
	for _, f := range p.Guards {
		for _, o := range f.Objects {
			guarded[prose.Clean(o)] = true
		}
	}
	g := v.page
	parts := map[report.Danger][]*webChange{}
	for _, it := range all {
		c := webChangeOf(it, g, guarded, v.compact)
		c.Open = len(all) <= openAtMost
		g.count(c)
		if it.Danger == report.Alters || it.Danger == report.Records {
			c.Placed = true
			parts[report.Records] = append(parts[report.Records], c)
		} else {
			parts[it.Danger] = append(parts[it.Danger], c)
		}
	}
	for _, part := range []webPart{{Title: "Deletions and replacements", Changes: parts[report.Removes]}, {Title: "Open to more people, or less asked of them", Changes: parts[report.Opens]}} {
		if len(part.Changes) > 0 {
			g.Eyes = append(g.Eyes, part)
		}
	}
	g.Places = places(parts[report.Records])
}

// Outcome tells what was left undone and why, above the plan, as its sum is.
func (v *HTML) Outcome(o *apply.Outcome) {
	said := sum(o, v.left)
	v.err.Paragraph(0, said)
	sums := []string{said}
	if o.Interrupted {
		sums = append(sums, "Interrupted: what was in flight is finished and recorded.")
	}
	v.page.Sums = slices.Concat(sums, v.page.Sums)
	v.failures(o)
	if len(o.Failed)+len(o.Skipped) == 0 {
		v.outputs(o.Outputs)
	}
	v.checks(o.Checks)
	v.notes(o.Notes)
}
