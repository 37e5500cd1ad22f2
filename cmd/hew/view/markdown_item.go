package view

import (
	"fmt"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// head names the host, explains the signs, and counts the changes by kind.
func (m *Markdown) head(d *report.Document, groups []report.Group) {
	var text []string
	if d.Host != "" {
		at := "Host " + Verbatim(prose.Clean(d.Host))
		if d.User != "" {
			at += ", user " + Verbatim(prose.Clean(d.User))
		}
		text = append(text, at)
	}
	var signs []string
	for _, e := range d.Legend(groups) {
		signs = append(signs, Verbatim(string(e.Sign))+" "+e.Meaning)
	}
	text = append(text, prose.NonEmpty(strings.Join(signs, ", "))...)
	m.current().sums = append(m.current().sums, text...)
	if t := report.TableOf(d.Shown()); len(t.Rows) > 0 {
		m.add(rankTable, "Changes by kind", []entry{{line: markdownTable(t)}})
	}
}

func markdownTable(t report.Table) string {
	var b strings.Builder
	b.WriteString("| kind |")
	for _, a := range t.Actions {
		b.WriteString(" " + Verbatim(string(a)) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(t.Actions)) + "\n")
	for _, r := range t.Rows {
		b.WriteString("| " + Verbatim(strings.ReplaceAll(r.Kind, "|", "\\|")) + " |")
		for _, n := range r.Counts {
			b.WriteString(" " + count(n) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// partlyListed is how many members of a group are named where there is no room for all.
const partlyListed = 50

// entryOf returns a group as a line, and folded with a diff of what changes in it.
func (m *Markdown) entryOf(g *report.Group) entry {
	name := string(g.Sign) + " " + g.Name
	describe := func(code func(string) string, title string) string {
		text := code(name)
		if title != "" {
			text += " " + Plainly(title, code)
		}
		if g.Cause != "" {
			text += ", " + Plainly(g.Cause, code)
		}
		return text
	}
	inside := diff(diffOf(g.Item)) + m.note(g.Note)
	if undo := m.undone(g); inside != "" && undo != "" {
		inside += undo + "\n\n"
	}
	if g.Cut > 0 {
		inside += Verbatim("hew "+m.Command+" -verbose") + " lists every element.\n\n"
	}
	if g.IsAlone() {
		line := "- " + describe(Verbatim, g.Title+g.Also)
		if undo := m.undone(g); undo != "" {
			line += ". " + undo
		}
		e := entry{line: line + "\n" + removedElements(g)}
		if inside != "" {
			e.full = details(describe(verbatimHTML, g.Title), inside+m.declared(g))
		}
		return e
	}
	blocks := ""
	if g.Blocks != "" {
		blocks = " (" + Plainly(g.Blocks, Verbatim) + ")"
	}
	if !g.IsListed() {
		e := entry{
			line:    "- " + describe(Verbatim, g.Gist()) + ": " + someMembers(g) + blocks + "\n",
			full:    details(describe(verbatimHTML, g.Gist()), inside+m.list(g.Members)),
			objects: len(g.Members),
		}
		if more := len(g.Members) - partlyListed; more > 1 {
			rest := strings.TrimSuffix(m.list(g.Members[:partlyListed]), "\n") + fmt.Sprintf("- … %d more\n\n", more)
			e.partial = details(describe(verbatimHTML, g.Gist()), inside+rest)
		}
		return e
	}
	line := "- " + describe(Verbatim, g.Gist()) + blocks + "\n"
	for _, r := range g.Listed {
		line += "  - " + strings.TrimSpace(Verbatim(r.Name)+" "+Plainly(r.Value, Verbatim)) + "\n"
	}
	e := entry{line: line, objects: len(g.Members)}
	if g.Hidden > 0 {
		e.line += fmt.Sprintf("  - … %d more\n", g.Hidden)
	}
	if inside != "" {
		inside = details("Changes to each", inside)
	}
	e.full = line + "\n" + inside
	if rest := g.Entries()[len(g.Listed):]; len(rest) > 0 {
		e.full += details(fmt.Sprintf("%d more (%s)", len(rest), report.SignsOfRows(rest)), rowList(rest))
	}
	return e
}

// removedElements lists what goes of a set alone, up to ten.
func removedElements(g *report.Group) string {
	if g.Members[0].Changes[0].Set == "" || g.Danger != report.Removes && g.Danger != report.DeletedByHand {
		return ""
	}
	all, most := g.Entries(), prose.MaxListed
	if len(all) <= most+1 {
		most = len(all)
	}
	text := ""
	for _, r := range all[:most] {
		text += "  - " + strings.TrimSpace(Verbatim(r.Name)+" "+Plainly(r.Value, Verbatim)) + "\n"
	}
	if more := len(all) - most; more > 0 {
		text += fmt.Sprintf("  - … %d more\n", more)
	}
	return text
}

// someMembers names the first few members of a group.
func someMembers(g *report.Group) string {
	names := make([]string, len(g.Listed))
	for i, r := range g.Listed {
		names[i] = nameAndWas(r.Name, r.Was)
	}
	text := strings.Join(names, ", ")
	if g.Hidden > 0 {
		text += fmt.Sprintf(" and %d more", g.Hidden)
	}
	return text
}

// details folds a text below a line.
func details(summary, inside string) string {
	return "<details>\n<summary>" + summary + "</summary>\n\n" + inside + "</details>\n\n"
}

// diff sets lines as a diff.
func diff(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	f := fence(3, lines...)
	return f + "diff\n" + strings.Join(lines, "\n") + "\n" + f + "\n\n"
}

func (m *Markdown) note(text string) string {
	if text == "" {
		return ""
	}
	return "Note: " + Plainly(text, Verbatim) + "\n\n"
}

// declared returns a link to where the item of a plan is declared, "" if it has no URL.
func (m *Markdown) declared(g *report.Group) string {
	at := g.Members[0].Changes[0].Declared
	if g.Place != "" || m.Source.file(m.current().directory, at) == "" {
		return ""
	}
	return m.place(at) + "\n\n"
}

// list names items, with links to where they are declared.
func (m *Markdown) list(all []report.Ranked) string {
	var b strings.Builder
	for i := range all {
		b.WriteString("- " + nameAndWas(all[i].Name, all[i].Was()))
		at := all[i].Changes[0].Declared
		if all[i].Place != "" || m.Source.file(m.current().directory, at) != "" {
			b.WriteString(" (" + m.place(at) + ")")
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}

func rowList(rows []report.Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("- " + strings.TrimSpace(Verbatim(r.Name)+" "+Plainly(r.Value, Verbatim)) + "\n")
	}
	return b.String() + "\n"
}

// diffOf returns the rows as lines of a diff, which hosts colour: removed, added, and (!) changed.
func diffOf(it report.Item) (lines []string) {
	ofSet := len(it.Rows) > 0 && it.Rows[0].Sign != 0
	for _, r := range it.Rows {
		text := ""
		if r.Cause != "" {
			text = "  # " + r.Cause
		}
		switch {
		case ofSet && r.Sign == 0: // more of the element above
			lines = append(lines, "!   "+r.Value+text)
		case ofSet:
			lines = append(lines, mark(rune(r.Sign))+strings.TrimSpace(r.Name+"  "+r.Value)+text)
		case it.Sign == plan.Create && r.Name != "" && r.Name != report.NotSet:
			lines = append(lines, "+ "+r.Name+" = "+r.Value+text)
		case r.Arrow != report.Arrow{}:
			lines = append(lines, "- "+r.Name+" = "+r.Arrow.From,
				"+ "+r.Name+" = "+r.Arrow.To+strings.TrimPrefix(r.Value, r.Arrow.String())+text)
		case r.Name == "" || r.Name == report.NotSet:
			lines = append(lines, "  "+strings.TrimSpace(r.Name+" "+r.Value)+text)
		default:
			lines = append(lines, "! "+r.Name+" "+r.Value+text)
		}
		for _, l := range r.Body {
			lines = append(lines, strings.TrimRight(mark(l.Op)+strings.Repeat("    ", l.Depth+1)+l.Text, " "))
		}
	}
	return lines
}

// mark returns the beginning of a line of a diff. Hosts know no other signs.
func mark(op rune) string {
	switch op {
	case '+', '-':
		return string(op) + " "
	case '~', '±':
		return "! "
	case 0, ' ':
		return "  "
	}
	return "  " + string(op) + " "
}
