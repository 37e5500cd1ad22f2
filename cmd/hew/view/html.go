package view

import (
	"bufio"
	"io"
	"slices"

	"hew/reconcile"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// HTML is the view for a browser: one file that needs nothing else, written when it is
// closed. Like Markdown it says nothing of requests and seconds, so that it is the same
// as long as what it tells of is.
type HTML struct {
	out   io.Writer
	err   Console // for people, who do not see the page
	of    HTMLOptions
	page  *webPage // the last of pages, which is being told
	pages []*webPage
}

// HTMLOptions say what a page is of and how much is on it.
type HTMLOptions struct {
	Command string
	Version string // of this hew
	Compact bool   // without attributes
	Detail  report.Detail
	Source  Source
}

// webReport is what the template is filled with. What is in it is text, and it becomes
// markup there alone.
type webReport struct {
	HTMLOptions
	Facts []Link // where it comes from
	Pages []*webPage
	webTallies
}

// Anchor is what a page that is one of several is linked to by.
func (p *webPage) Anchor() string { return p.id("") }

// Several tells whether the run was in several directories.
func (r webReport) Several() bool { return len(r.Pages) > 1 }

// webPage is the report of a run in one directory.
type webPage struct {
	Directory string // one of several
	Host      string // and the user
	Digest    string
	Sums      []string
	Table     report.Table
	Alarms    webSections // what is wrong, and what stops the plan
	Eyes      []webPart   // changes that somebody should look at
	Equal     []*webGroup // others that are equal
	Places    []*webPlace // all others, by where they are
	Asides    webSections
	webTallies

	directory string // of the configuration in its repository
	source    Source
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

// NewHTML returns the view for a browser. Err is for people, who do not see the page.
func NewHTML(out io.Writer, err Console, of HTMLOptions) *HTML {
	page := &webPage{directory: of.Source.Directory, source: of.Source}
	return &HTML{out: out, err: err, of: of, page: page, pages: []*webPage{page}}
}

// Directory begins a page of the report.
func (v *HTML) Directory(name string, _ int) {
	if v.page.Directory == "" {
		v.pages = nil
	}
	v.page = &webPage{Directory: prose.Clean(name), source: v.of.Source}
	v.pages = append(v.pages, v.page)
}

// Close writes what is still unwritten.
func (v *HTML) Close() error { return v.write() }

// write writes the pages as one report, as it is made and not all of it first.
func (v *HTML) write() error {
	r := webReport{HTMLOptions: v.of, Facts: v.of.Source.facts(), Pages: v.pages}
	for _, p := range v.pages {
		p.Alarms.order()
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

// Note tells in a sentence what was done beside the answer.
func (v *HTML) Note(said string) { v.err.Paragraph(0, said) }

// Changed says nothing: what was done is told at the end.
func (v *HTML) Changed(reconcile.Event) {}

// Diagnostics shows errors and warnings.
func (v *HTML) Diagnostics(all []report.Diagnostic) {
	printDiagnostics(v.err, all)
	v.diagnostics(all)
}

// Show shows a run that was written down.
func (v *HTML) Show(d *report.Document) {
	v.page.directory = d.Directory
	v.diagnostics(d.Diagnostics)
	showParts(v, d)
}

// Plan takes what there is to tell at once.
func (v *HTML) Plan(d *report.Document) {
	g := v.page
	g.Host, g.Digest, g.directory = host(d), prose.Clean(d.Digest), d.Directory
	g.Table = report.TableOf(d)
	v.sum(d.Total())
	if d.Ledgerless && v.of.Command == "drift" {
		g.Sums = append(g.Sums, ledgerless)
	}
	v.guards(d)
	v.blocked(d.Blocked)
	v.checks(d.Checks)
	v.changes(d)
	v.strays(d.Strays)
	if v.of.Command == "plan" && !d.Empty() {
		v.outputs(d.Outputs)
	}
	v.notes(d.OtherNotes())
}

// changes parts the plan by what somebody should look at, and the rest by what is equal and by
// where it is.
func (v *HTML) changes(d *report.Document) {
	groups := report.Groups(d, v.of.Detail)
	guarded := map[string]bool{}
	for _, f := range d.Guards {
		for _, o := range f.Objects {
			guarded[prose.Clean(o)] = true
		}
	}
	g := v.page
	eyes := map[report.Danger]*webPart{
		report.Removes: {Title: "Deletions and replacements"}, report.Opens: {Title: "Open to more people, or less asked of them"}}
	var others []*webChange
	for i := range groups {
		members := v.members(&groups[i], guarded)
		part := eyes[groups[i].Danger]
		switch {
		case len(members) > 1 && part != nil:
			part.Groups = append(part.Groups, webGroupOf(&groups[i], members))
		case len(members) > 1:
			g.Equal = append(g.Equal, webGroupOf(&groups[i], members))
		default:
			members[0].Open = len(groups) <= openAtMost
			if part != nil {
				part.Changes = append(part.Changes, members[0])
				continue
			}
			members[0].Placed = true
			others = append(others, members[0])
		}
	}
	for _, danger := range []report.Danger{report.Removes, report.Opens} {
		if part := eyes[danger]; len(part.Groups)+len(part.Changes) > 0 {
			g.Eyes = append(g.Eyes, *part)
		}
	}
	g.Places = places(others)
}

// members are the changes of a group for the page, which counts them.
func (v *HTML) members(g *report.Group, guarded map[string]bool) (all []*webChange) {
	for _, it := range g.Members {
		c := webChangeOf(it, v.page, guarded, v.of.Compact)
		v.page.count(c)
		all = append(all, c)
	}
	return all
}

// Outcome tells what was left undone and why, above the plan, as its sum is.
func (v *HTML) Outcome(d *report.Document) {
	o, said := d.Outcome, sum(d)
	v.err.Paragraph(0, said)
	sums := []string{said}
	if o.Interrupted {
		sums = append(sums, "Interrupted: what was in flight is finished and recorded.")
	}
	v.page.Sums = slices.Concat(sums, v.page.Sums)
	v.failures(o)
	if len(o.Failed)+len(o.Skipped) == 0 {
		v.outputs(d.Outputs)
	}
	v.checks(o.Checks)
	v.notes(o.Notes)
}
