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

// means is an error where a written value would not be taken for the live one.
// References are known by what they lead to, which only a plan finds out.
func means(a *schema.Attr, n *schema.Naming, written, live cty.Value) error {
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

// sameAs compares elements of a list of an attribute: references by what they
// lead to.
func sameAs(p plan.PathChange) func(written, want cty.Value) bool {
	if !p.Attr.ManyRefs() {
		return alike
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

// unordered tells whether the order of a list says nothing: turned around it is
// the same.
func unordered(p plan.PathChange) bool {
	if p.Attr.ManyRefs() {
		return true
	}
	for _, v := range []cty.Value{p.Before, p.After} {
		bare, _ := v.UnmarkDeep()
		if !listed(bare) || bare.LengthInt() < 2 || !bare.IsWhollyKnown() {
			continue
		}
		items := bare.AsValueSlice()
		slices.Reverse(items)
		turned := cty.TupleVal(items)
		if list, err := convert.Convert(turned, bare.Type()); err == nil {
			turned = list
		}
		return p.Attr.Equal(turned, bare)
	}
	return false
}
