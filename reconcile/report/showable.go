package report

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// showable returns what may be shown of a difference. It is hidden altogether
// if the attribute is a secret, or one of its values is: the other may be as
// well. Where only a part of the new value is one, the rest of it is shown;
// nobody knows where in the old value an old secret is.
func showable(p plan.PathChange) (before, after cty.Value, hidden bool) {
	before, after = public(p.Attr, orNull(p.Before)), public(p.Attr, orNull(p.After))
	switch {
	case p.Attr.Partial() && !p.Attr.IsSecret(): // what is secret of it is marked key by key
		return before, after, before.IsMarked() || after.IsMarked()
	case p.Attr.IsSecret() || after.IsMarked():
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
	if !a.HasSecretPart() || v.IsMarked() || v.IsNull() || !v.IsKnown() {
		return v
	}
	return a.Canonical(v)
}

func orNull(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}
