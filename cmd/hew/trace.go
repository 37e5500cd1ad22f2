package main

import (
	"strings"
	"time"

	"hew/reconcile/plan"
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
		said += ", by " + clean(by)
	}
	return said
}

// moment is a time to the minute, as it is told in UTC.
func moment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return clean(s)
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// strayRow is a stray for people: what it is, whose, and where it comes from.
type strayRow struct{ name, of, origin string }

func strayRows(all []plan.Stray) (rows []strayRow) {
	for _, s := range all {
		row := strayRow{name: clean(s.Object.Kind.Name + " " + s.Title)}
		if s.Owner != "" && s.Object.Kind.Tree == nil {
			row.of = "of " + clean(s.Owner)
		}
		if t := s.Object.Trace; t != nil {
			row.origin = strings.TrimPrefix(origin(t.Made, t.By), ", ")
		}
		rows = append(rows, row)
	}
	return rows
}

// straysTitle stands above the strays.
func straysTitle(all []plan.Stray) string {
	return "Strays, " + count(len(all), "object") + " beside managed ones that nobody declares"
}

// strays tells what is beside managed objects.
func (t *text) strays(all []plan.Stray) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("%s\n", t.paint.in(yellow, straysTitle(all)+":"))
	for _, r := range strayRows(all) {
		t.printf("  %s ", t.paint.in(yellow, "?"))
		t.cells(nameAt, causeAt, r.name, r.of, r.origin, r.name)
	}
}

func (m *markdown) strays(all []plan.Stray) {
	var entries []entry
	for _, r := range strayRows(all) {
		line := strings.TrimSuffix("- "+verbatim("? "+r.name)+" "+plainly(r.of, verbatim), " ")
		if r.origin != "" {
			line += ", " + plainly(r.origin, verbatim)
		}
		entries = append(entries, entry{line: line + "\n"})
	}
	m.add(changing, straysTitle(all), entries)
}

func straysOf(all []plan.Stray) []jsonStray {
	out := []jsonStray{}
	for _, s := range all {
		j := jsonStray{Kind: s.Object.Kind.Name, ID: s.Object.ID, Title: s.Title, Owner: s.Owner}
		if t := s.Object.Trace; t != nil {
			j.Since, j.By = t.Made, t.By
		}
		out = append(out, j)
	}
	return out
}

func (r *reread) strays(all []jsonStray) (out []plan.Stray) {
	for _, j := range all {
		k := r.kinds(j.Kind)
		if k == nil {
			k = &schema.Kind{Name: j.Kind}
		}
		out = append(out, plan.Stray{Title: j.Title, Owner: j.Owner,
			Object: schema.Object{Kind: k, ID: j.ID, Trace: &schema.Trace{Made: j.Since, By: j.By}}})
	}
	return out
}
