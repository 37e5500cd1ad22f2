package report

import (
	"strings"
	"time"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// traceOf returns when a drift was made, and by whom, or "" for what the host's list
// does not show: the creation of an undeclared object, or the last change of a
// declared one. Hosts count too much as a change of a group or project, so it returns
// "" for these.
func traceOf(c *plan.Change) (since, by string) {
	t := c.Before.Trace
	switch {
	case t == nil:
	case c.Action == plan.Delete:
		return t.Made, t.By
	case c.Kind.Tree == nil:
		return t.Changed, ""
	}
	return "", ""
}

// traced returns the trace of a change as the end of a sentence.
func traced(c *Change) string {
	if c.Event != nil {
		return c.Event.attribution()
	}
	if c.Since != "" && c.Sign() != plan.Delete {
		return ", last changed " + moment(c.Since)
	}
	return origin(c.Since, c.By)
}

// origin returns by whom an object was made, and when: ", added by alice, 2026-11-28 14:03 UTC".
func origin(since, by string) string {
	switch {
	case since == "" && by == "":
		return ""
	case by == "":
		return ", added " + moment(since)
	case since == "":
		return ", added by " + prose.Clean(by)
	}
	return ", added by " + prose.Clean(by) + ", " + moment(since)
}

// moment returns a time to the minute, in UTC.
func moment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return prose.Clean(s)
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// UndeclaredRow describes an undeclared object to people: its name, its owner and where it comes
// from.
type UndeclaredRow struct{ Name, Of, Origin string }

// UndeclaredRows returns a row for each undeclared object of a plan.
func UndeclaredRows(all []Undeclared) (rows []UndeclaredRow) {
	for _, u := range all {
		row := UndeclaredRow{
			Name: prose.Clean(u.Kind + " " + u.Title), Origin: strings.TrimPrefix(origin(u.Since, u.By), ", "),
		}
		if u.Owner != "" && !u.Container {
			row.Of = "of " + prose.Clean(u.Owner)
		}
		rows = append(rows, row)
	}
	return rows
}

func undeclaredOf(all []plan.Undeclared) []Undeclared {
	out := []Undeclared{}
	for _, u := range all {
		j := Undeclared{Kind: u.Object.Kind.Name, ID: u.Object.ID, Title: u.Title, Owner: u.Owner,
			Container: u.Object.Kind.Tree != nil}
		if t := u.Object.Trace; t != nil {
			j.Since, j.By = t.Made, t.By
		}
		out = append(out, j)
	}
	return out
}
