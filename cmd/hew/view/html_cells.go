package view

import (
	"html"
	"html/template"
	"strconv"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
)

// cells writes the lines of a difference, and a remark, as the cells of a row whose name is
// written before. A page has more cells than anything else, so they do not go through the
// template, which would take longer over them than over all the rest. of is the action of the
// change.
func cells(lines []sides, remark string, of plan.Action) template.HTML {
	var b strings.Builder
	wide := of == plan.Create || of == plan.Delete // the other side of all of them is empty
	for i, l := range lines {
		last := ""
		if i == len(lines)-1 {
			last = " z"
		}
		if i > 0 {
			b.WriteString(`<tr class="r` + last + `">`)
		}
		l.cells(&b, wide)
		b.WriteString("</tr>")
	}
	if len(lines) == 0 {
		b.WriteString("</tr>")
	}
	if remark != "" {
		b.WriteString(`<tr class="r z"><td colspan="2" class="f">` + html.EscapeString(remark) + "</td></tr>")
	}
	return template.HTML(b.String())
}

func (s sides) cells(b *strings.Builder, wide bool) {
	cell := func(class, across string, w report.Words, mark string) {
		if s.depth > 0 {
			class += " d" + strconv.Itoa(s.depth)
		}
		b.WriteString("<td" + across + ` class="` + class + `">`)
		writeWords(w, b, mark)
		b.WriteString("</td>")
	}
	const both = ` colspan="2"`
	switch {
	case s.across != "" && s.op == '…':
		cell("f", both, unmarked("… "+s.across), "")
	case s.across != "":
		cell("f", both, unmarked(s.across), "")
	case wide && s.before != nil:
		cell("o", both, s.before, "")
	case wide:
		cell("n", both, s.after, "")
	case s.op == ' ':
		cell("k", "", s.before, "")
		cell("k", "", s.after, "")
	default:
		cell("o", "", s.before, "del")
		cell("n", "", s.after, "ins")
	}
}

// writeWords writes one side of a difference, escaped, with the words that only it has marked.
func writeWords(w report.Words, b *strings.Builder, mark string) {
	for _, s := range w {
		text := html.EscapeString(s.String())
		if mark != "" && s.Op != ' ' {
			text = "<" + mark + ">" + text + "</" + mark + ">"
		}
		b.WriteString(text)
	}
}
