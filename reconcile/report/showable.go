package report

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/reconcile/urlmask"
	"hew/schema"
)

// showable returns what may be shown of a difference. It is hidden altogether
// if the attribute is a secret, or one of its values is: the other may be as
// well. Where only a part of the new value is one, the rest of it is shown;
// nobody knows where in the old value an old secret is.
func showable(p plan.PathChange) (before, after cty.Value, hidden bool) {
	before, after = p.Attr.Published(orNull(p.Before)), p.Attr.Published(orNull(p.After))
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

// showableLive returns what may be shown of a value of a live object. The URLs of an object that
// nobody declared may hold secrets that no configuration shows.
func showableLive(c *plan.Change, a *schema.Attr, v cty.Value) cty.Value {
	v = a.Published(v)
	if _, undeclared := c.Origin.(plan.FromClaim); !undeclared {
		return v
	}
	shown, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if text := schema.Text(part); text != "" && part.Type() == cty.String && !part.IsMarked() {
			return cty.StringVal(urlmask.Conceal(text)), nil
		}
		return part, nil
	})
	if err != nil {
		return cty.NullVal(v.Type())
	}
	return shown
}

func orNull(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}
