package rewrite

import (
	"errors"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/plan"
	"hew/schema"
)

// checkMeaning fails if a written value would not mean the live one. References are not checked,
// because only a plan resolves them.
func checkMeaning(a *schema.Attr, n *schema.Naming, written, live cty.Value) error {
	var err error
	if n != nil && n.In != nil && !written.IsNull() {
		if written, err = n.In(written); err != nil {
			return err
		}
	}
	if a.RefKind() != "" || written.IsNull() {
		return nil
	}
	if a.Type != cty.NilType && !a.Partial() {
		if written, err = convert.Convert(written, a.Type); err != nil {
			return err
		}
	}
	if a.Accepts.Check != nil {
		if err := a.Accepts.Check(a.Complete(written)); err != nil {
			return err
		}
	}
	if !a.Partial() && !a.Agrees(written, live) {
		return errors.New("the host has another value")
	}
	return nil
}

// elementsEqual returns the comparison for elements of a list: references are equal if they refer
// to the same object.
func elementsEqual(p plan.PathChange) func(written, want cty.Value) bool {
	if !p.Attr.ManyRefs() {
		return sameMeaning
	}
	refs := slices.Concat(schema.Refs(p.After), schema.Refs(p.Before))
	thing := func(v cty.Value) *schema.Ref {
		r, _ := schema.RefOf(v)
		for _, of := range refs {
			if r.ID != "" && r.ID == of.ID || r.Path != "" && strings.EqualFold(r.Path, of.Path) {
				return of
			}
		}
		return &r
	}
	return func(written, want cty.Value) bool { return thing(written).Same(thing(want)) }
}

// isUnordered reports whether the order of a list does not matter: reversed, it compares equal.
func isUnordered(p plan.PathChange) bool {
	if p.Attr.ManyRefs() {
		return true
	}
	for _, v := range []cty.Value{p.Before, p.After} {
		bare, _ := v.UnmarkDeep()
		if !isList(bare) || bare.LengthInt() < 2 || !bare.IsWhollyKnown() {
			continue
		}
		items := bare.AsValueSlice()
		slices.Reverse(items)
		reversed := cty.TupleVal(items)
		if list, err := convert.Convert(reversed, bare.Type()); err == nil {
			reversed = list
		}
		return p.Attr.Equal(reversed, bare)
	}
	return false
}
