package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config/composite"
	"hew/reconcile/config/foreign"
	"hew/schema"
)

// value is the value of an argument, and the instances that unknown parts of it refer to.
type value struct {
	cty.Value
	unknown map[string]addr.Instance
}

// evalArgument returns the value that an argument states. ok is false if it states nothing, as
// null does, or if it is in error.
//
// Under Terraform's names a zero value that the attribute does not accept states nothing either,
// since Terraform's providers cannot tell it from an argument that is left out. Zero values that
// the attribute accepts are stated: "" is an empty description.
func (d *decoder) evalArgument(w argument, ctx *hcl.EvalContext, of addr.Instance,
	from *instanceSet) (cty.Value, map[string]addr.Instance, bool) {
	var v *value
	set, zero, last := written{}, false, cty.NilVal
	for _, way := range append([]written{w.written}, w.others...) {
		got, raw, ok := d.evalWritten(w, way, ctx, of, from)
		isZero := composite.IsZero(raw)
		last = raw
		switch {
		case !ok:
			return cty.NilVal, nil, false
		case got == nil || isZero && v != nil:
		case v == nil || zero:
			v, set, zero = got, way, isZero
		default:
			d.fail(way.at, "Conflicting arguments", "%s and %s set the same attribute. Remove one of the two.",
				way.name, set.name)
			return cty.NilVal, nil, false
		}
	}
	if v == nil && w.fallback != nil {
		way, ok := written{w.name, w.fallback, w.at}, false
		if v, _, ok = d.evalWritten(w, way, ctx, of, from); !ok {
			return cty.NilVal, nil, false
		}
	}
	switch {
	case v != nil:
		return v.Value, v.unknown, true
	case w.attr.Mode == schema.Required:
		d.fail(w.expr.Range(), "Missing required argument", "%s of %s is required, but its value is %s%s",
			w.name, of, describeUnset(last), foreign.Reason(noteOf(d.node.block.Alias, w.name)))
	}
	return cty.NilVal, nil, false
}

// describeUnset names a value that states nothing: null, or 0 where that counts as null.
func describeUnset(raw cty.Value) string {
	raw, _ = raw.Unmark()
	if raw == cty.NilVal || raw.IsNull() {
		return "null"
	}
	return schema.Encode(raw) + ", which counts as not set"
}

// evalWritten evaluates one way to state an attribute. It returns nil if that states nothing; raw
// is the value before it is converted.
func (d *decoder) evalWritten(w argument, way written, ctx *hcl.EvalContext, of addr.Instance,
	from *instanceSet) (v *value, raw cty.Value, ok bool) {
	expr := way.expr
	if w.attr.RefKind() != "" {
		expr = chosenBranch(expr, ctx, from)
	}
	raw, diags := expr.Value(ctx)
	d.add(diags)
	if diags.HasErrors() {
		return nil, raw, false
	}
	unset := d.node.block.Alias != nil && composite.IsZero(raw)
	if unset && w.attr.RefKind() != "" {
		return nil, raw, true
	}
	out, unknown, err := d.convertArgument(w.attr, raw, from)
	switch {
	case err != nil && unset:
		return nil, raw, true
	case err != nil:
		d.fail(way.expr.Range(), "Invalid value", "%s of %s: %s", way.name, of, err)
		return nil, raw, false
	case out.IsNull():
		return nil, raw, true
	}
	return &value{out, unknown}, raw, true
}

// checkIgnored reports arguments without a counterpart, if they ask for something.
func (d *decoder) checkIgnored(b *Block, ctx *hcl.EvalContext) {
	for _, in := range b.ignored {
		v, diags := in.Expr.Value(ctx)
		d.add(diags)
		switch {
		case diags.HasErrors() || foreign.IsOff(v):
		case in.Refused:
			d.fail(in.NameRange, "Unsupported argument", "%s", in.Detail)
		default:
			d.eval.cfg.note(in.NameRange, "%s", in.Detail)
		}
	}
}

// noteOf returns what an alias says of a name, or "".
func noteOf(a *schema.Alias, name string) string {
	if a == nil || a.Naming(name) == nil {
		return ""
	}
	return a.Naming(name).Note
}
