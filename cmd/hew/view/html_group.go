package view

import (
	"html"
	"html/template"
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// webGroup is several equal changes on the page, each of them folded.
type webGroup struct {
	Mark        template.HTML
	Name, Title string
	Cause, By   string
	Undo        string
	Open        bool
	First, More []*webChange // More is folded once more: what goes beyond the first ten
}

// groupOf returns a group for the page with its members.
func (p *webPage) groupOf(g *report.Group, members []*webChange) *webGroup {
	w := &webGroup{
		Mark: p.mark(g.Sign), Name: g.Name, Title: g.Gist(), Cause: g.Cause, By: members[0].Unit.By, Undo: g.Undo,
		First: members,
	}
	for _, c := range members {
		c.Open, c.Placed = false, strings.Contains(c.Title, c.Place)
	}
	if g.IsListed() {
		w.Open = true
		w.First, w.More = members[:prose.MaxListed], members[prose.MaxListed:]
	}
	return w
}

// Signs counts the changes of the group.
func (w *webGroup) Signs() report.Signs {
	n := signsOf(w.First)
	n.Join(signsOf(w.More))
	return n
}

// Markup returns the HTML of the group.
func (w *webGroup) Markup() template.HTML {
	b := &markup{}
	b.add(`<details class="group b"`)
	b.when(w.Open, ` open`)
	b.add(`><summary>`, string(w.Mark), `<code>`, html.EscapeString(w.Name), `</code> <span class="m">`)
	b.text(`<span class="t">`, w.Title, `</span>`)
	b.cause(w.By, w.Cause)
	b.add(`</span> <span class="n">`, html.EscapeString(w.Signs().String()), "</span></summary>\n")
	b.text(undoTag, w.Undo, `</p>`)
	for _, c := range w.First {
		b.add(string(c.Markup()))
	}
	if len(w.More) > 0 {
		b.more(len(w.More), signsOf(w.More))
		for _, c := range w.More {
			b.add(string(c.Markup()))
		}
		b.add("</details>\n")
	}
	b.add("</details>\n")
	return b.whole()
}

// more begins the folded rest of a long list.
func (b *markup) more(n int, signs report.Signs) {
	b.add(`<details class="more b"><summary>`, prose.Count(n, "more", "more"))
	b.text(` <span class="n">`, signs.String(), "</span>")
	b.add("</summary>\n")
}

// signsOf counts changes of the page.
func signsOf(all []*webChange) report.Signs {
	n := report.Signs{}
	for _, c := range all {
		n.Join(c.signs)
	}
	return n
}
