package view

import (
	"html"
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Markup returns the HTML of a change. It bypasses the template, with which a report takes twice
// as long.
func (c *webChange) Markup() template.HTML {
	b, id := &markup{}, html.EscapeString(c.Unit.ID)
	if len(c.Bodies) == 0 {
		b.add(`<div class="c b" tabindex="-1" id="`, id, `"`)
		b.unit(c.Unit)
		b.add(`>`)
		b.head(c)
		b.text(`<p class="note">Note: `, c.Note, `</p>`)
		b.text(undoTag, c.Undo, `</p>`)
		if c.Drift {
			b.where(c)
		}
		b.add("</div>\n")
		return b.whole()
	}
	b.add(`<details class="c b" id="`, id, `"`)
	if !c.Set {
		b.unit(c.Unit)
	}
	b.when(c.Open, ` open`)
	b.add(`><summary>`)
	b.head(c)
	b.add("</summary>\n")
	b.text(`<p class="note">Note: `, c.Note, `</p>`)
	first, more := foldDeletions(c.Bodies)
	b.table(c, first)
	if len(more) > 0 {
		b.more(len(more), report.Signs{plan.Delete: len(more)})
		b.table(c, more)
		b.add(`</details>`)
	}
	b.text(undoTag, c.Undo, `</p>`)
	b.where(c)
	b.add("</details>\n")
	return b.whole()
}

// undoTag begins what hew apply would do about drift.
const undoTag = `<p class="note">To undo: `

// where writes where a change is declared.
func (b *markup) where(c *webChange) {
	if c.Declared.Text != "" {
		b.add(`<p class="where">`)
		b.place(c.Declared)
		b.add(`</p>`)
	}
}

// foldDeletions splits the elements of a set: removals beyond the first ten are folded.
func foldDeletions(bodies []webBody) (first, more []webBody) {
	gone := 0
	for _, body := range bodies {
		if body.Unit.Action == plan.Delete.Name() {
			gone++
		}
		if body.Unit.Action == plan.Delete.Name() && gone > prose.MaxListed {
			more = append(more, body)
		} else {
			first = append(first, body)
		}
	}
	return first, more
}

func (b *markup) table(c *webChange, bodies []webBody) {
	before, after := "Before", "After"
	if c.Drift {
		before, after = "Was", "Is"
	}
	b.add("<table><thead><tr><th>Name</th><th>", before, "</th><th>", after, "</th></tr></thead>")
	for _, body := range bodies {
		b.add(`<tbody`)
		if body.Unit.ID != "" {
			b.add(` id="`, html.EscapeString(body.Unit.ID), `"`)
			b.unit(body.Unit)
		}
		b.add(`>`)
		for _, r := range body.Rows {
			b.row(r)
		}
		b.add(`</tbody>`)
	}
	b.add(`</table>`)
}

// place writes a place in a file, linked if it has a URL.
func (b *markup) place(l webPlaceLink) {
	if l.URL == "" {
		b.add(html.EscapeString(l.Text))
		return
	}
	b.add(`<a href="`, html.EscapeString(l.URL), `">`, html.EscapeString(l.Text), `</a>`)
}

// markup builds HTML.
type markup struct{ strings.Builder }

func (b *markup) whole() template.HTML { return template.HTML(b.String()) }

// add writes text that is HTML already.
func (b *markup) add(all ...string) {
	for _, s := range all {
		b.WriteString(s)
	}
}

func (b *markup) when(holds bool, s string) {
	if holds {
		b.WriteString(s)
	}
}

// text escapes and writes a text between two tags, unless it is empty.
func (b *markup) text(before, text, after string) {
	if text != "" {
		b.add(before, html.EscapeString(text), after)
	}
}

// unit writes the attributes that a change is found and filtered by.
func (b *markup) unit(u webUnit) {
	b.add(` data-a="`, html.EscapeString(u.Action), `"`)
	b.text(` data-c="`, u.By, `"`)
	b.when(u.Guarded, ` data-g`)
}

const guardMark = ` <span class="cause guard">guard</span>`

func (b *markup) cause(by, text string) {
	b.text(` <span class="cause `+html.EscapeString(by)+`">`, text, `</span>`)
}

// head writes the line of a change, with a link to it.
func (b *markup) head(c *webChange) {
	b.add(string(c.Unit.Mark), `<code>`, html.EscapeString(c.Name), `</code> <span class="m"><span class="t">`,
		html.EscapeString(c.Title), `</span>`)
	if !c.Placed {
		b.text(` <span class="at">`, c.Place, `</span>`)
	}
	b.when(c.Unit.Guarded && !c.Set, guardMark)
	b.cause(c.Unit.By, c.Cause)
	b.add(`</span> <a href="#`, html.EscapeString(url.PathEscape(c.Unit.ID)), `" aria-label="Link to this">#</a>`)
}

func (b *markup) row(r webRow) {
	b.add(`<tr><th scope="row"`)
	b.when(r.Mark != "", ` class="e"`)
	if r.Span > 1 {
		b.add(` rowspan="`, strconv.Itoa(r.Span), `"`)
	}
	b.add(`>`, string(r.Mark), html.EscapeString(r.Name))
	b.text(` <span class="l">`, r.Label, `</span>`)
	b.when(r.Guarded, guardMark)
	b.cause(r.By, r.Cause)
	b.add(`</th>`, string(r.Cells))
}
