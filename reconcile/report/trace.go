package report

import (
	"strings"
	"time"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/schema"
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
func traced(c *plan.Change) string {
	since, by := traceOf(c)
	if since != "" && c.Action != plan.Delete {
		return ", last changed " + moment(since)
	}
	return origin(since, by)
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

// strayRow is a stray for people: what it is, whose, and where it comes from.
type strayRow struct{ Name, Of, Origin string }

func StrayRows(all []plan.Stray) (rows []strayRow) {
	for _, s := range all {
		row := strayRow{Name: prose.Clean(s.Object.Kind.Name + " " + s.Title)}
		if s.Owner != "" && s.Object.Kind.Tree == nil {
			row.Of = "of " + prose.Clean(s.Owner)
		}
		if t := s.Object.Trace; t != nil {
			row.Origin = strings.TrimPrefix(origin(t.Made, t.By), ", ")
		}
		rows = append(rows, row)
	}
	return rows
}

// StraysTitle stands above the strays.
func StraysTitle(all []plan.Stray) string {
	return "Strays, " + prose.Count(len(all), "object") + " beside managed ones that nobody declares"
}

func straysOf(all []plan.Stray) []Stray {
	out := []Stray{}
	for _, s := range all {
		j := Stray{Kind: s.Object.Kind.Name, ID: s.Object.ID, Title: s.Title, Owner: s.Owner}
		if t := s.Object.Trace; t != nil {
			j.Since, j.By = t.Made, t.By
		}
		out = append(out, j)
	}
	return out
}

func (r *Reread) strays(all []Stray) (out []plan.Stray) {
	for _, j := range all {
		k := r.Kinds(j.Kind)
		if k == nil {
			k = &schema.Kind{Name: j.Kind}
		}
		out = append(out, plan.Stray{Title: j.Title, Owner: j.Owner,
			Object: schema.Object{Kind: k, ID: j.ID, Trace: &schema.Trace{Made: j.Since, By: j.By}}})
	}
	return out
}
