package report

import (
	"iter"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// defaults yields what the host will set by itself on something new: the
// documented defaults of attributes that are not stated, but for those that
// say no, nothing or none. hew does not send them, then or later.
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

// blank reports whether a default is what anybody would expect of an attribute
// that is not there.
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

// defaults are the texts of what the host will set by itself, which older documents have as values
// alone.
func (c *Change) defaults() []string {
	if c.DefaultTexts != nil || len(c.Defaults) == 0 {
		return c.DefaultTexts
	}
	return Value{plain: c.Defaults}.entries()
}
