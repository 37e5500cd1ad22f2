package report

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
	"hew/schema/urlmask"
)

// showable returns the parts of a difference that can be shown. All of it is hidden
// if the attribute or one of its values is a secret, because the other may be one as
// well. If only a part of the new value is secret, the rest of the new value is shown.
// The old value is hidden, because its secret part is unknown.
func showable(p plan.PathChange) (before, after cty.Value, hidden bool) {
	after = withoutKeys(p.Attr.Published(orNull(p.After)), p.Kept)
	before = concealURLs(p.Attr.Published(orNull(p.Before)), after)
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

// withoutKeys returns a map without some of its keys.
func withoutKeys(v cty.Value, keys []string) cty.Value {
	if len(keys) == 0 {
		return v
	}
	bare, marks := v.Unmark()
	rest := bare.AsValueMap()
	for _, key := range keys {
		delete(rest, key)
	}
	return cty.ObjectVal(rest).WithMarks(marks)
}

// showableLive returns what may be shown of the value of an attribute of a live object.
func showableLive(c *plan.Change, a *schema.Attr, v cty.Value) cty.Value {
	return concealURLs(a.Published(v), a.Published(orNull(c.After.Get(a.Name))))
}

// concealURLs returns a live value without the secrets of the URLs in it. The texts that the
// planned value holds too remain, because the configuration shows them.
func concealURLs(live, planned cty.Value) cty.Value {
	shown := map[string]bool{}
	_ = cty.Walk(planned, func(_ cty.Path, part cty.Value) (bool, error) {
		if isPlainText(part) {
			shown[part.AsString()] = true
		}
		return !part.IsMarked(), nil
	})
	masked, err := cty.Transform(live, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if isPlainText(part) && !shown[part.AsString()] {
			return cty.StringVal(urlmask.Conceal(part.AsString())), nil
		}
		return part, nil
	})
	if err != nil {
		return cty.NullVal(live.Type())
	}
	return masked
}

// isPlainText reports whether a value is a known string that is not secret.
func isPlainText(v cty.Value) bool {
	return !v.IsMarked() && v.Type() == cty.String && v.IsKnown() && !v.IsNull()
}

func orNull(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}
