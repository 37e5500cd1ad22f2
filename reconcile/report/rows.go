package report

import (
	"cmp"

	"github.com/zclconf/go-cty/cty"

	"hew/provider"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// called is what the block of a changed object calls an attribute: people look
// for what they have written. Programs get the kind's own name (pathOf).
func called(c *plan.Change, a *schema.Attr) string {
	return provider.Kinds().Alias(c.Addr.Kind, c.Kind).Written(a.Name)
}

// createRows are the stated values of something new, then the defaults that
// the host will give it.
func createRows(c *plan.Change) []Row {
	var rows []Row
	for _, p := range c.Paths {
		rows = append(rows, Row{Name: called(c, p.Attr), difference: stated(p.Attr, p.After), Cause: remarkOn(p)})
	}
	return append(rows, defaultRows(c)...)
}

// defaultRows show the host's defaults where they are few enough to be read,
// else only that there are some.
func defaultRows(c *plan.Change) []Row {
	rows := []Row{}
	n := 0
	for a, v := range defaults(c) {
		n++
		given := called(c, a) + " = " + spell(a, v)
		if last := len(rows) - 1; last >= 0 && prose.Columns(rows[last].Value+given) < LongLine {
			rows[last].Value += ", " + given
			continue
		}
		rows = append(rows, Row{difference: difference{Value: given}})
	}
	switch {
	case n == 0:
		return nil
	case len(rows) > 2:
		rows = []Row{{difference: difference{Value: prose.Count(n, "attribute")}}}
	}
	rows[0].Name, rows[0].Cause = NotStated, "the host's defaults"
	return rows
}

// NotStated is in the place of a name before what the host decides.
const NotStated = "(not stated)"

func attrRows(c *plan.Change, paths []plan.PathChange) []Row {
	var rows []Row
	for _, p := range paths {
		r := Row{Name: called(c, p.Attr), By: p.Cause}
		note := remarkOn(p)
		before, after, hidden := showable(p)
		if hidden {
			r.Value = Secret
			note = "secret " + cmp.Or(note, "changed")
		} else {
			r.difference = differenceOf(p.Attr, before, after)
		}
		r.Cause = because(p.Cause, note, "set by hand since the last apply"+traced(c))
		rows = append(rows, r)
	}
	return rows
}

// showable returns what may be shown of a difference. It is hidden altogether
// if the attribute is a secret, or one of its values is: the other may be as
// well. Where only a part of the new value is one, the rest of it is shown;
// nobody knows where in the old value an old secret is.
func showable(p plan.PathChange) (before, after cty.Value, hidden bool) {
	before, after = public(p.Attr, orNull(p.Before)), public(p.Attr, orNull(p.After))
	switch {
	case p.Attr.Partial && !p.Attr.Secret: // what is secret of it is marked key by key
		return before, after, before.IsMarked() || after.IsMarked()
	case p.Attr.Secret || after.IsMarked():
		return before, after, true
	case schema.IsSecret(after):
		if !isNull(before) {
			before = before.Mark(schema.Secret)
		}
		return before, after, false
	}
	return before, after, schema.IsSecret(before)
}

// public is a value without what hosts do not show of it.
func public(a *schema.Attr, v cty.Value) cty.Value {
	if a.Whole == nil || v.IsMarked() || v.IsNull() || !v.IsKnown() {
		return v
	}
	return a.Canonical(v)
}

// remarkOn is the note of an attribute's change, unless its value says the
// same.
func remarkOn(p plan.PathChange) string {
	if "("+p.Note+")" == unknown {
		return ""
	}
	return prose.Clean(p.Note)
}

func orNull(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}
