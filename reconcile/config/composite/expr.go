// Package composite has HCL expressions that are made of other expressions. They
// stand for arguments that are written in another form than the attribute has:
// lists that are written as nested blocks, and values that Terraform's provider
// writes in its own way.
//
// Each of them implements hcl.Expression, so package config evaluates them and
// finds their references like those of any other expression.
package composite

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Expr is an expression whose value a function computes from the values of other
// expressions.
type Expr struct {
	operands []hcl.Expression
	fields   map[string]hcl.Range // of an object, where each field is written
	at       hcl.Range
	label    string // begins its errors: "branch of gitlab_branch_protection.main"
	// compute gets the operands' values as they are, marked or unknown.
	compute func(operands []cty.Value) (cty.Value, error)
}

// Convert returns an expression for what f returns for the value of e. It calls f
// only with values that are wholly known, not null and without marks; f's errors
// are reported after the label.
func Convert(e hcl.Expression, label string, f func(cty.Value) (cty.Value, error)) *Expr {
	return &Expr{
		operands: []hcl.Expression{e},
		at:       e.Range(),
		label:    label,
		compute: func(operands []cty.Value) (cty.Value, error) {
			bare, marks := operands[0].UnmarkDeep()
			switch {
			case !bare.IsWhollyKnown():
				return cty.DynamicVal.WithMarks(marks), nil
			case bare.IsNull():
				return operands[0], nil
			}
			v, err := f(bare)
			if err != nil {
				return cty.DynamicVal, err
			}
			return v.WithMarks(marks), nil
		},
	}
}

// Default returns an expression that is fallback where e is a zero value.
func Default(e, fallback hcl.Expression) *Expr {
	return &Expr{operands: []hcl.Expression{e, fallback}, at: e.Range(),
		compute: func(operands []cty.Value) (cty.Value, error) {
			if IsZero(operands[0]) {
				_, marks := operands[0].Unmark()
				return operands[1].WithMarks(marks), nil
			}
			return operands[0], nil
		}}
}

// NonZero returns an expression that is null where e is a zero value.
func NonZero(e hcl.Expression) *Expr {
	return Default(e, hcl.StaticExpr(cty.NullVal(cty.DynamicPseudoType), e.Range()))
}

// IsZero reports whether a value is one that Terraform's providers cannot tell from an argument
// that is left out: null, "", 0, or a collection without elements. False is not.
func IsZero(v cty.Value) bool {
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case !v.IsKnown():
		return false
	case v.IsNull():
		return true
	case t == cty.String:
		return v.AsString() == ""
	case t == cty.Number:
		return v.RawEquals(cty.Zero)
	}
	return v.CanIterateElements() && v.LengthInt() == 0
}

// Field is a field of an Object.
type Field struct {
	Name  string
	Expr  hcl.Expression
	Range hcl.Range
}

// Object returns an expression for an object of fields, and of further fields that
// are null.
func Object(fields []Field, at hcl.Range, null []string) *Expr {
	m := &Expr{at: at, fields: map[string]hcl.Range{}}
	for _, f := range fields {
		m.operands = append(m.operands, f.Expr)
		m.fields[f.Name] = f.Range
	}
	m.compute = func(operands []cty.Value) (cty.Value, error) {
		values := map[string]cty.Value{}
		for _, name := range null {
			values[name] = cty.NullVal(cty.DynamicPseudoType)
		}
		for i, v := range operands {
			values[fields[i].Name] = v
		}
		return cty.ObjectVal(values), nil
	}
	return m
}

// DropNull returns an expression for the same object without the fields that are
// null. It changes e.
func (e *Expr) DropNull() *Expr {
	compute := e.compute
	e.compute = func(operands []cty.Value) (cty.Value, error) {
		v, err := compute(operands)
		if err != nil {
			return v, err
		}
		values := v.AsValueMap()
		for name, value := range values {
			if bare, _ := value.Unmark(); bare.IsKnown() && bare.IsNull() {
				delete(values, name)
			}
		}
		return cty.ObjectVal(values), nil
	}
	return e
}

// Single returns an expression for the only element of the list that blocks of a
// type make. It is null for an empty list; two elements are an error.
func Single(l *List, label, block string) *Expr {
	return &Expr{
		operands: []hcl.Expression{l},
		at:       l.at,
		label:    label,
		compute: func(operands []cty.Value) (cty.Value, error) {
			list, marks := operands[0].Unmark()
			switch {
			case !list.IsKnown():
				return cty.DynamicVal.WithMarks(marks), nil
			case list.LengthInt() == 0:
				return cty.NullVal(cty.DynamicPseudoType).WithMarks(marks), nil
			case list.LengthInt() > 1:
				return cty.DynamicVal, fmt.Errorf("there can be only one %s block, not %d", block, list.LengthInt())
			}
			return list.AsValueSlice()[0].WithMarks(marks), nil
		},
	}
}

// FieldRange returns where a field of an object is written.
func (e *Expr) FieldRange(name string) (at hcl.Range, ok bool) {
	at, ok = e.fields[name]
	return at, ok
}

// Value evaluates the operands and computes the value from theirs.
func (e *Expr) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	operands := make([]cty.Value, len(e.operands))
	for i, operand := range e.operands {
		v, more := operand.Value(ctx)
		operands[i], diags = v, append(diags, more...)
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, err := e.compute(operands)
	if err != nil {
		text := err.Error()
		if e.label != "" {
			text = e.label + ": " + text
		}
		return cty.DynamicVal, append(diags,
			&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid value", Detail: text + ".", Subject: &e.at})
	}
	return v, diags
}

// Variables returns the references of all operands.
func (e *Expr) Variables() (all []hcl.Traversal) {
	for _, operand := range e.operands {
		all = append(all, operand.Variables()...)
	}
	return all
}

// Range returns where the first operand is written.
func (e *Expr) Range() hcl.Range { return e.at }

// StartRange returns what Range does.
func (e *Expr) StartRange() hcl.Range { return e.at }

// ExprList returns the operands, so that hcl.ExprList finds them and their syntax
// is checked.
func (e *Expr) ExprList() []hcl.Expression { return e.operands }

// Is reports whether an expression is of this package.
func Is(e hcl.Expression) bool {
	switch e.(type) {
	case *Expr, *List, *each:
		return true
	}
	return false
}
