package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// made is an expression that is made of others: the value of an attribute that
// is written in another way than the kind has it.
type made struct {
	of    []hcl.Expression
	parts map[string]hcl.Range // where parts of the value are written, by name
	at    hcl.Range
	about string // in errors: "branch of gitlab_branch_protection.main"
	// build makes the value of those of the expressions, marks and unknowns in them.
	build func([]cty.Value) (cty.Value, error)
}

// converted is what f makes of an expression, once all of it is known. What is
// null stays null.
func converted(e hcl.Expression, about string, f func(cty.Value) (cty.Value, error)) *made {
	return &made{of: []hcl.Expression{e}, at: e.Range(), about: about, build: func(values []cty.Value) (cty.Value, error) {
		bare, marks := values[0].UnmarkDeep()
		switch {
		case !bare.IsWhollyKnown():
			return cty.DynamicVal.WithMarks(marks), nil
		case bare.IsNull():
			return values[0], nil
		}
		v, err := f(bare)
		if err != nil {
			return cty.DynamicVal, err
		}
		return v.WithMarks(marks), nil
	}}
}

// withDefault is an expression that null stands for a value in.
func withDefault(e hcl.Expression, def cty.Value) *made {
	return &made{of: []hcl.Expression{e}, at: e.Range(), build: func(values []cty.Value) (cty.Value, error) {
		if bare, marks := values[0].Unmark(); bare.IsKnown() && bare.IsNull() {
			return def.WithMarks(marks), nil
		}
		return values[0], nil
	}}
}

// entry is a part of an object that is made.
type entry struct {
	name string
	expr hcl.Expression
	at   hcl.Range
}

// objectOf is an object of expressions; empty are further fields, which are null.
func objectOf(entries []entry, at hcl.Range, empty []string) *made {
	m := &made{at: at, parts: map[string]hcl.Range{}}
	for _, e := range entries {
		m.of = append(m.of, e.expr)
		m.parts[e.name] = e.at
	}
	m.build = func(values []cty.Value) (cty.Value, error) {
		fields := map[string]cty.Value{}
		for _, name := range empty {
			fields[name] = cty.NullVal(cty.DynamicPseudoType)
		}
		for i, v := range values {
			fields[entries[i].name] = v
		}
		return cty.ObjectVal(fields), nil
	}
	return m
}

// stating is a made object without what is null in it: that is not stated.
func (m *made) stating() *made {
	build := m.build
	m.build = func(values []cty.Value) (cty.Value, error) {
		v, err := build(values)
		if err != nil {
			return v, err
		}
		fields := v.AsValueMap()
		for name, field := range fields {
			if bare, _ := field.Unmark(); bare.IsKnown() && bare.IsNull() {
				delete(fields, name)
			}
		}
		return cty.ObjectVal(fields), nil
	}
	return m
}

// single is the one element of what blocks of a type come to; there may be none.
func single(g *gathered, about, block string) *made {
	return &made{of: []hcl.Expression{g}, at: g.at, about: about, build: func(values []cty.Value) (cty.Value, error) {
		list, marks := values[0].Unmark()
		switch {
		case !list.IsKnown():
			return cty.DynamicVal.WithMarks(marks), nil
		case list.LengthInt() == 0:
			return cty.NullVal(cty.DynamicPseudoType).WithMarks(marks), nil
		case list.LengthInt() > 1:
			return cty.DynamicVal, fmt.Errorf("there is one block %s at most, and this makes %d", block, list.LengthInt())
		}
		return list.AsValueSlice()[0].WithMarks(marks), nil
	}}
}

// Value is what is made.
func (m *made) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	values := make([]cty.Value, len(m.of))
	for i, e := range m.of {
		v, more := e.Value(ctx)
		values[i], diags = v, append(diags, more...)
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, err := m.build(values)
	if err != nil {
		text := err.Error()
		if m.about != "" {
			text = m.about + ": " + text
		}
		return cty.DynamicVal, append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid value", Detail: text + ".", Subject: &m.at})
	}
	return v, diags
}

// Variables are what the expressions refer to.
func (m *made) Variables() (all []hcl.Traversal) {
	for _, e := range m.of {
		all = append(all, e.Variables()...)
	}
	return all
}

// Range and StartRange are where it is written.
func (m *made) Range() hcl.Range      { return m.at }
func (m *made) StartRange() hcl.Range { return m.at }

// ExprList lets the syntax of each expression be checked.
func (m *made) ExprList() []hcl.Expression { return m.of }

// composite tells of an expression that is made of others: those are checked, not
// what they make.
func composite(e hcl.Expression) bool {
	switch e.(type) {
	case *made, *gathered, *repeated:
		return true
	}
	return false
}
