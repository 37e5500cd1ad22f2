package view

import (
	"html"
	"html/template"
	"strconv"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
)

// cells are the lines of a difference in a row whose name stands before them, and what
// is to be said of it. There are more of them than of anything else on a page, so that
// they are written here: the template would take longer over them than over all the rest.
// of is what happens to what they are of.
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

// writeWords escapes a side, and sets what is only there in an element.
func writeWords(w report.Words, b *strings.Builder, mark string) {
	for _, s := range w {
		text := html.EscapeString(s.String())
		if mark != "" && s.Op != ' ' {
			text = "<" + mark + ">" + text + "</" + mark + ">"
		}
		b.WriteString(text)
	}
}
