package composite

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// List is the list that nested blocks of one type make of an attribute, in the
// order of the blocks.
type List struct {
	items []hcl.Expression // each one element, or an each
	at    hcl.Range
}

// NewList returns an empty list that begins at a place.
func NewList(at hcl.Range) *List { return &List{at: at} }

// Add appends what an expression of a block stands for: one element, or one for
// each repetition of a dynamic block.
func (l *List) Add(b Block, e hcl.Expression) {
	if b.Dynamic != nil {
		e = &each{*b.Dynamic, e}
	}
	l.items = append(l.items, e)
}

// Value returns a tuple of all elements that are not null.
func (l *List) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var all []cty.Value
	var diags hcl.Diagnostics
	marks := cty.ValueMarks{}
	for _, item := range l.items {
		v, more := item.Value(ctx)
		diags = append(diags, more...)
		if _, many := item.(*each); !many {
			all = appendStated(all, v)
			continue
		}
		bare, m := v.Unmark()
		for mark := range m {
			marks[mark] = struct{}{}
		}
		if !bare.IsKnown() {
			return cty.DynamicVal.WithMarks(marks), diags
		}
		all = append(all, bare.AsValueSlice()...)
	}
	return cty.TupleVal(all).WithMarks(marks), diags
}

// Variables returns the references of all elements.
func (l *List) Variables() (all []hcl.Traversal) {
	for _, item := range l.items {
		all = append(all, item.Variables()...)
	}
	return all
}

// Range returns where the first block is written.
func (l *List) Range() hcl.Range { return l.at }

// StartRange returns what Range does.
func (l *List) StartRange() hcl.Range { return l.at }

// ExprList returns the elements, so that their syntax is checked.
func (l *List) ExprList() []hcl.Expression { return l.items }

// each is an expression in the content of a dynamic block: a tuple with its value
// for each element of for_each.
type each struct {
	Dynamic
	item hcl.Expression
}

// Value returns the tuple.
func (r *each) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	over, diags := r.Elements(ctx)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	over, marks := over.Unmark()
	if !over.IsKnown() {
		return cty.DynamicVal.WithMarks(marks), diags
	}
	var all []cty.Value
	for key, value := range over.Elements() {
		if over.Type().IsSetType() {
			key = value
		}
		in := ctx.NewChild()
		in.Variables = map[string]cty.Value{r.Iterator: cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})}
		v, more := r.item.Value(in)
		diags = append(diags, more...)
		all = appendStated(all, v)
	}
	return cty.TupleVal(all).WithMarks(marks), diags
}

// appendStated appends a value unless it is null, which states nothing.
func appendStated(all []cty.Value, v cty.Value) []cty.Value {
	if bare, _ := v.Unmark(); bare.IsNull() {
		return all
	}
	return append(all, v)
}

// Variables returns the references of for_each and of the expression, without
// those to the iterator.
func (r *each) Variables() []hcl.Traversal {
	all := r.ForEach.Variables()
	for _, t := range r.item.Variables() {
		if t.RootName() != r.Iterator {
			all = append(all, t)
		}
	}
	return all
}

// Range returns where the expression is written.
func (r *each) Range() hcl.Range { return r.item.Range() }

// StartRange returns where the expression begins.
func (r *each) StartRange() hcl.Range { return r.item.StartRange() }

// ExprList returns for_each and the expression, so that their syntax is checked.
func (r *each) ExprList() []hcl.Expression { return []hcl.Expression{r.ForEach, r.item} }
