package report

import (
	"iter"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// defaults yields the values that the host will set on a new object: the documented
// defaults of undeclared attributes, except false, zero and empty ones. hew never
// sends them.
func defaults(c *plan.Change) iter.Seq2[*schema.Attr, cty.Value] {
	return func(yield func(*schema.Attr, cty.Value) bool) {
		for a := range c.Kind.Arguments() {
			if a.Default == nil || a.IsSecret() || schema.Stated(c.After, a.Name) {
				continue
			}
			if v := a.Default(c.After); !blank(v) && !yield(a, v) {
				return
			}
		}
	}
}

// blank reports whether a default is null, false, zero or empty.
func blank(v cty.Value) bool {
	if v == cty.NilVal || v.IsMarked() || !v.IsWhollyKnown() || v.IsNull() {
		return true
	}
	switch t := v.Type(); {
	case t == cty.String:
		return v.AsString() == ""
	case t == cty.Bool:
		return v.False()
	case t == cty.Number:
		return v.AsBigFloat().Sign() == 0
	}
	return v.CanIterateElements() && v.LengthInt() == 0
}

// defaults returns the texts of the values that the host will set. Older documents have only the
// values.
func (c *Change) defaults() []string {
	if c.DefaultTexts != nil || len(c.Defaults) == 0 {
		return c.DefaultTexts
	}
	return Value{plain: c.Defaults}.entries()
}
