package report

import (
	"strings"
	"time"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// traceOf is when somebody did what drifted, and who it was, as far as a list of
// the host says; "" for what it does not. Of what is there and should not be that
// is its making, of what changed its last change. Groups and projects count all
// sorts of things as changes, so of theirs nothing is said.
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

// traced words a trace after what it is about.
func traced(c *Change) string {
	if c.Since != "" && c.Sign() != plan.Delete {
		return ", last changed " + moment(c.Since)
	}
	return origin(c.Since, c.By)
}

// origin words who made an object and when.
func origin(since, by string) (said string) {
	if since != "" {
		said += ", since " + moment(since)
	}
	if by != "" {
		said += ", by " + prose.Clean(by)
	}
	return said
}

// moment is a time to the minute, as it is told in UTC.
func moment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return prose.Clean(s)
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// StrayRow is a stray for people: what it is, whose, and where it comes from.
type StrayRow struct{ Name, Of, Origin string }

// StrayRows returns the strays of a plan for people.
func StrayRows(all []Stray) (rows []StrayRow) {
	for _, s := range all {
		row := StrayRow{
			Name: prose.Clean(s.Kind + " " + s.Title), Origin: strings.TrimPrefix(origin(s.Since, s.By), ", "),
		}
		if s.Owner != "" && !s.Container {
			row.Of = "of " + prose.Clean(s.Owner)
		}
		rows = append(rows, row)
	}
	return rows
}

// StraysTitle stands above the strays.
func StraysTitle(all []Stray) string {
	return "Strays, " + prose.Count(len(all), "object") + " beside managed ones that nobody declares"
}

func straysOf(all []plan.Stray) []Stray {
	out := []Stray{}
	for _, s := range all {
		j := Stray{Kind: s.Object.Kind.Name, ID: s.Object.ID, Title: s.Title, Owner: s.Owner,
			Container: s.Object.Kind.Tree != nil}
		if t := s.Object.Trace; t != nil {
			j.Since, j.By = t.Made, t.By
		}
		out = append(out, j)
	}
	return out
}
