package config

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// repetition is what makes one instance: its key, and what each or count are for it.
type repetition struct {
	key  string
	vars map[string]cty.Value
}

func (i repetition) scope(parent *hcl.EvalContext) *hcl.EvalContext {
	if i.vars == nil {
		return parent
	}
	ctx := parent.NewChild()
	ctx.Variables = i.vars
	return ctx
}

// evalBlock evaluates a resource, data or exclusive block into instances.
func (e *Eval) evalBlock(n *node, f *frame, st *state) {
	r := &report{}
	d := decoder{eval: e, node: n, frame: f, state: st, report: r, ctx: e.scope(n, f)}
	d.collectBase()
	items, closed := d.expand(n.block.repeat)
	st.unexpanded = closed
	if closed == nil {
		for _, i := range items {
			if e.interrupted() {
				break
			}
			d.decodeInstance(i)
		}
	}
	if n.block.postconditions != nil {
		st.items = items
	}
	st.diags = r.diags
}

// expand returns the instances of a block. If they are unknown, it returns why the block is
// blocked.
func (d *decoder) expand(by repeat) ([]repetition, *Blocked) {
	items, closed := d.expandKeys(by)
	if by.when == nil || closed != nil {
		return items, closed
	}
	var kept []repetition
	for _, i := range items {
		v, diags := by.when.Elements(i.scope(d.ctx))
		d.add(diags)
		var from instanceSet
		bare, _ := stripOrigins(v, &from)
		bare, _ = bare.Unmark()
		switch {
		case diags.HasErrors():
		case !bare.IsKnown():
			return nil, d.blockAll(from.list)
		case bare.LengthInt() > 1:
			d.fail(by.when.ForEach.Range(), "Invalid for_each argument",
				"There can be only one %s block, and for_each has %d elements.", by.when.Block, bare.LengthInt())
		case bare.LengthInt() == 1:
			kept = append(kept, i)
		}
	}
	return kept, nil
}

// expandKeys evaluates for_each or count.
func (d *decoder) expandKeys(by repeat) ([]repetition, *Blocked) {
	expr := by.forEach
	if expr == nil {
		expr = by.count
	}
	if expr == nil {
		return []repetition{{}}, nil
	}
	v, diags := expr.Value(d.ctx)
	d.add(diags)
	if diags.HasErrors() {
		return nil, nil
	}
	var from instanceSet
	bare, marks := v.Unmark()
	if _, secret := marks[schema.Secret]; secret {
		d.fail(expr.Range(), "Sensitive value not allowed",
			"Plans show the keys of instances, so for_each and count must not be sensitive. If the keys are not "+
				"secret, use nonsensitive().")
		return nil, nil
	}
	if !bare.IsKnown() || bare.Type().IsSetType() && !bare.IsWhollyKnown() {
		stripOrigins(v, &from)
		return nil, d.blockAll(from.list)
	}
	switch {
	case bare.IsNull():
		if by.forEach != nil {
			d.fail(expr.Range(), "Invalid for_each argument",
				"for_each must not be null. For no instances, write for_each = {}.")
		} else {
			d.fail(expr.Range(), "Invalid count argument", "count must not be null. For no instances, write count = 0.")
		}
		return nil, nil
	case by.forEach != nil:
		return d.expandForEach(expr, bare), nil
	}
	return d.expandCount(expr, bare), nil
}

func (d *decoder) expandForEach(expr hcl.Expression, v cty.Value) (items []repetition) {
	t := v.Type()
	switch {
	case t.IsMapType() || t.IsObjectType():
	case t.IsSetType() && (t.ElementType() == cty.String || v.LengthInt() == 0):
	default:
		d.fail(expr.Range(), "Invalid for_each argument",
			"for_each must be a map or a set of strings, not %s. To convert a list of strings, use toset().",
			typeName(withoutLength(t)))
		return nil
	}
	for key, val := range v.Elements() {
		if t.IsSetType() {
			key = val
		}
		if key.IsNull() {
			d.fail(expr.Range(), "Invalid for_each argument", "for_each must not have a null key.")
			return nil
		}
		items = append(items, repetition{addr.StringKey(key.AsString()), map[string]cty.Value{
			"each": cty.ObjectVal(map[string]cty.Value{"key": key, "value": val}),
		}})
	}
	return items
}

func (d *decoder) expandCount(expr hcl.Expression, v cty.Value) (items []repetition) {
	const most = 100_000
	have := v.Type()
	v, err := convert.Convert(v, cty.Number)
	if err != nil {
		d.fail(expr.Range(), "Invalid count argument", "count %s.", typeError(have, cty.Number, err))
		return nil
	}
	n, exact := v.AsBigFloat().Int64()
	if exact != big.Exact || n < 0 || n > most {
		d.fail(expr.Range(), "Invalid count argument", "count must be a whole number from 0 to %d.", most)
		return nil
	}
	for i := range n {
		items = append(items, repetition{addr.IndexKey(int(i)), map[string]cty.Value{
			"count": cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(i)}),
		}})
	}
	return items
}

// checkKey checks that a block has the instance that a reference names, if the keys are
// known.
func (d *decoder) checkKey(r ref) {
	if r.to.block == nil || !r.to.block.keyed() || r.key == "" {
		return
	}
	st := &d.frame.state[r.to.id]
	if st.unexpanded != nil || st.diags.HasErrors() {
		return
	}
	var keys []string
	for i := range st.insts {
		if st.insts[i].Addr.Key == r.key {
			return
		}
		keys = append(keys, st.insts[i].Addr.Key)
	}
	d.fail(r.at, "Unknown instance key", "%s has no instance [%s].%s", r.to.name, r.key, suggestOrList(r.key, keys))
}

// suggestOrList returns the name that a misspelt one probably stands for, or else all
// names if they are few, as a sentence to append.
func suggestOrList(name string, names []string) string {
	const few = 20
	if hint := didyoumean.Nearest(name, names); hint != "" {
		return fmt.Sprintf(" Did you mean %s?", hint)
	}
	switch n := len(names); {
	case n == 0:
		return " It has none."
	case n <= few:
		return fmt.Sprintf(" It has %s.", strings.Join(names, ", "))
	}
	return ""
}
