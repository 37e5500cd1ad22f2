package view

import (
	"bufio"
	"io"
	"slices"

	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// HTML is the view for a browser: one file that needs nothing else, written on Close. It leaves
// out requests and seconds.
type HTML struct {
	out   io.Writer
	err   Console // for people, who do not see the page
	of    HTMLOptions
	page  *webPage // the last of pages, which is being told
	pages []*webPage
}

// HTMLOptions say what a page is about and how much of it is shown.
type HTMLOptions struct {
	Command string
	Version string // of this hew
	Compact bool   // without attributes
	Detail  report.Detail
	Source  Source
}

// webReport is the input of the template. All of it is text; only the template makes markup of it.
type webReport struct {
	HTMLOptions
	Facts []Link // where it comes from
	Pages []*webPage
	webTallies
}

// Anchor returns the id of a page that is one of several.
func (p *webPage) Anchor() string { return p.id("") }

// Several reports whether the run was in several directories.
func (r webReport) Several() bool { return len(r.Pages) > 1 }

// webPage is the report of a run in one directory.
type webPage struct {
	Directory string // one of several
	Host      string // and the user
	Digest    string
	Sums      []string
	Table     report.Table
	Alarms    webSections // what is wrong, and what stops the plan
	Review    []webPart   // changes that somebody should look at
	Equal     []*webGroup // others that are equal
	Places    []*webPlace // all others, by where they are
	Asides    webSections
	webTallies

	directory string // of the configuration in its repository
	source    Source
	drift     bool // it shows what happened
}

// Meaning returns what the sign of an action means.
func (p *webPage) Meaning(a plan.Action) string { return p.meaning(a) }

// id returns the id of an address. Several directories may have the same address.
func (p *webPage) id(address string) string {
	if p.Directory != "" {
		return p.Directory + ":" + address
	}
	return address
}

// openAtMost is how many entries are shown with their attributes open.
const openAtMost = 40

// NewHTML returns the view for a browser. Err gets the summary for people, who do not see the
// page.
func NewHTML(out io.Writer, err Console, of HTMLOptions) *HTML {
	page := &webPage{directory: of.Source.Directory, source: of.Source}
	return &HTML{out: out, err: err, of: of, page: page, pages: []*webPage{page}}
}

// Directory begins the page of a directory.
func (v *HTML) Directory(name string, _ int) {
	if v.page.Directory == "" {
		v.pages = nil
	}
	v.page = &webPage{Directory: prose.Clean(name), source: v.of.Source}
	v.pages = append(v.pages, v.page)
}

// Close writes the report.
func (v *HTML) Close() error { return v.write() }

// write streams the pages as one report.
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

// sum adds a line at the top of the page.
func (v *HTML) sum(s string) {
	v.err.Paragraph(0, s)
	v.page.Sums = append(v.page.Sums, s)
}

// Note prints a sentence for people; it is not on the page.
func (v *HTML) Note(text string) { v.err.Paragraph(0, text) }

// Changed does nothing: the outcome comes at the end.
func (v *HTML) Changed(reconcile.Event) {}

// Diagnostics shows errors and warnings.
func (v *HTML) Diagnostics(all []report.Diagnostic) {
	printDiagnostics(v.err, all)
	v.diagnostics(all)
}

// Show shows a saved run.
func (v *HTML) Show(d *report.Document) {
	v.page.directory = d.Directory
	v.diagnostics(d.Diagnostics)
	showParts(v, d)
}

// Plan adds a plan to the page.
func (v *HTML) Plan(d *report.Document) {
	g := v.page
	g.Host, g.Digest, g.directory = host(d), prose.Clean(d.Digest), d.Directory
	g.Table, g.drift, g.meaning = report.TableOf(d.Shown()), d.IsDrift(), d.Meaning
	v.sum(d.Total())
	if d.Ledgerless && v.of.Command == "drift" {
		g.Sums = append(g.Sums, ledgerless)
	}
	v.guards(d)
	v.blocked(d.Blocked)
	v.checks(d.Checks)
	v.changes(d)
	v.undeclared(d.Undeclared)
	if v.of.Command == "plan" && !d.Empty() {
		v.outputs(d.Outputs)
	}
	v.notes(d.Shown().OtherNotes())
}

// changes splits the plan into what needs review, what is equal, and the rest by place.
func (v *HTML) changes(d *report.Document) {
	groups := report.Groups(d.Shown(), v.of.Detail)
	guarded, g := d.Guarded(), v.page
	reviewed := map[report.Danger]*webPart{
		report.Unfound: {}, report.Removes: {}, report.Opens: {}, report.DeletedByHand: {}}
	var others []*webChange
	for i := range groups {
		members := v.members(&groups[i], guarded)
		part := reviewed[groups[i].Danger]
		switch {
		case len(members) > 1 && part != nil:
			part.Groups = append(part.Groups, g.groupOf(&groups[i], members))
		case len(members) > 1:
			g.Equal = append(g.Equal, g.groupOf(&groups[i], members))
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
	for _, danger := range []report.Danger{report.Unfound, report.Removes, report.Opens, report.DeletedByHand} {
		if part := reviewed[danger]; len(part.Groups)+len(part.Changes) > 0 {
			part.Title = d.Heading(danger)
			g.Review = append(g.Review, *part)
		}
	}
	g.Places = placeTree(others)
}

// members returns the changes of a group, and counts them.
func (v *HTML) members(g *report.Group, guarded map[string]bool) (all []*webChange) {
	for _, it := range g.Members {
		c := webChangeOf(it, v.page, guarded, v.of.Compact)
		v.page.count(c)
		all = append(all, c)
	}
	return all
}

// Outcome shows what failed or was skipped, and why, above the plan.
func (v *HTML) Outcome(d *report.Document) {
	o, text := d.Outcome, sum(d)
	v.err.Paragraph(0, text)
	sums := []string{text}
	if o.Interrupted {
		sums = append(sums, "Requests in flight were finished and recorded.")
	}
	v.page.Sums = slices.Concat(sums, v.page.Sums)
	v.failures(o)
	if len(o.Failed)+len(o.Skipped) == 0 {
		v.outputs(d.Outputs)
	}
	v.checks(o.Checks)
	v.notes(o.Notes)
}
