package main

import (
	"cmp"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// createRows are the stated values of something new, then the defaults that
// the host will give it.
func createRows(c *plan.Change) []row {
	var rows []row
	for _, p := range c.Paths {
		r := row{name: p.Attr.Name, cause: remarkOn(p)}
		r.value, r.body = stated(p.Attr, p.After)
		rows = append(rows, r)
	}
	return append(rows, defaultRows(c)...)
}

// defaultRows show the host's defaults where they are few enough to be read,
// else only that there are some.
func defaultRows(c *plan.Change) []row {
	rows := []row{}
	n := 0
	for a, v := range defaults(c) {
		n++
		given := a.Name + " = " + spell(a, v)
		if last := len(rows) - 1; last >= 0 && len(rows[last].value)+len(given) < longLine {
			rows[last].value += ", " + given
			continue
		}
		rows = append(rows, row{value: given})
	}
	switch {
	case n == 0:
		return nil
	case len(rows) > 2:
		rows = []row{{value: count(n, "attribute")}}
	}
	rows[0].name, rows[0].cause = "(not stated)", "the host's defaults"
	return rows
}

func attrRows(paths []plan.PathChange) []row {
	var rows []row
	for _, p := range paths {
		r := row{name: p.Attr.Name}
		note := remarkOn(p)
		if hides(p) {
			r.value = secret
			note = "secret " + cmp.Or(note, "changed")
		} else {
			r.value, r.body = difference(p.Attr, orNull(p.Before), orNull(p.After))
		}
		r.cause = because(p.Cause, note, "set by hand since the last apply")
		rows = append(rows, r)
	}
	return rows
}

// hides tells whether a difference is one of secrets: of an attribute that is
// one, or of texts of which one is made of a secret. The other may be as well.
func hides(p plan.PathChange) bool {
	return p.Attr.Secret || schema.IsSecret(p.Before) || schema.IsSecret(p.After)
}

// remarkOn is the note of an attribute's change, unless its value says the
// same.
func remarkOn(p plan.PathChange) string {
	if "("+p.Note+")" == unknown {
		return ""
	}
	return clean(p.Note)
}

func orNull(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}
