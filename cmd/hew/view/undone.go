package view

import (
	"strings"

	"hew/reconcile/report"
)

// undone says how hew apply would undo an event, and where its object is declared.
func (m *Markdown) undone(g *report.Group) string {
	place := ""
	if g.Place != "" {
		place = m.place(g.Place)
	}
	switch {
	case g.Undo == "" && place == "":
		return ""
	case g.Undo == "":
		return "Declared at " + place + "."
	}
	text := "To undo: " + Plainly(g.Undo, Verbatim)
	if place != "" {
		text = strings.TrimSuffix(text, ".") + " (" + place + ")."
	}
	return text
}

// undone says how hew apply would undo an event, and where its object is declared.
func undone(g *report.Group) string {
	switch {
	case g.Undo == "" && g.Place == "":
		return ""
	case g.Undo == "":
		return "Declared at " + g.Place
	case g.Place == "":
		return "To undo: " + g.Undo
	}
	return "To undo: " + strings.TrimSuffix(g.Undo, ".") + " (" + g.Place + ")."
}
