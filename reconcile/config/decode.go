package config

import (
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// decoder makes the instances of one block.
type decoder struct {
	*report
	eval  *Eval
	node  *node
	frame *frame
	state *state
	ctx   *hcl.EvalContext
	// what all instances wait for
	base  []addr.Instance
	needs []addr.Instance // base as resources
	after []addr.Block    // whole blocks, each of which may be thousands of instances
	shape *shape          // of a set kind's entries
}

// foundation gathers what every instance depends on: constant references to
// single instances, and depends_on.
func (d *decoder) foundation() {
	var base pile
	for _, r := range d.node.refs {
		if r.single() && !r.keys {
			base.add(addr.Instance{Block: r.to.address(d.frame), Key: r.key})
		}
	}
	for _, r := range d.node.after {
		d.present(r)
		d.wait(r, d.frame, &base)
	}
	for f := d.frame; f.parent != nil; f = f.parent { // what a module waits for, all in it do
		for _, r := range f.mod.call.after {
			d.wait(r, f.parent, &base)
		}
	}
	d.base = base.list
	d.needs = d.eval.resources(base.list)
}

// wait adds what a depends_on names in a frame.
func (d *decoder) wait(r ref, f *frame, base *pile) {
	b := r.to.block
	switch {
	case r.to.isCall:
		st := &f.state[r.to.id]
		if st.closed != nil {
			base.add(st.closed.Addr)
		}
		for _, in := range st.frames {
			for _, n := range in.mod.nodes {
				d.wait(ref{to: n}, in, base)
			}
		}
	case b == nil:
	case r.single() && (b.Kind.Set == nil || b.Addr.Mode != addr.Resource):
		base.add(addr.Instance{Block: r.to.address(f), Key: r.key})
	case b.Addr.Mode == addr.Data:
		for _, read := range f.state[r.to.id].insts {
			base.add(read.Addr)
		}
	default:
		d.after = append(d.after, r.to.address(f))
		base.add(d.eval.closedIn(r.to, f)...)
	}
}

// instance decodes one instance and files it in the state.
func (d *decoder) instance(i item) {
	b := d.node.block
	out := Desired{
		Addr:   addr.Instance{Block: d.node.address(d.frame), Key: i.key},
		Block:  b,
		Needs:  d.needs,
		After:  d.after,
		Object: schema.Object{Kind: b.Kind},
	}
	ctx := i.scope(d.ctx)
	var from pile
	deferred, sound := false, !b.flawed
	before := d.errors()
	for _, w := range b.attrs {
		if w.broken {
			sound = false
			continue
		}
		expr := w.expr
		if w.attr.Ref != "" {
			expr = branch(expr, ctx, &from)
		}
		raw, diags := expr.Value(ctx)
		d.add(diags)
		if diags.HasErrors() {
			continue
		}
		v, unknown, err := d.accept(w.attr, raw, &from)
		switch {
		case err != nil:
			d.fail(w.expr.Range(), "Invalid value", "%s of %s: %s", w.name, out.Addr, err)
			continue
		case v.IsNull() && w.attr.Mode == schema.Required:
			d.fail(w.expr.Range(), "Missing required argument",
				"%s of %s is required, but its value is null.", w.name, out.Addr)
			continue
		case v.IsNull():
			continue // not stated
		}
		out.Object.Value.Set(w.attr, v)
		deferred = deferred || gaps(w.attr, v) > len(unknown)
		if out.Origin == nil && unknown != nil {
			out.Origin = map[string]addr.Instance{}
		}
		maps.Copy(out.Origin, unknown)
	}
	if sound && d.errors() == before {
		d.together(out)
	}
	if deferred {
		out.Defer = d.eval.blocks(d.node, d.frame)
	}
	if len(from.list) > 0 {
		from.add(d.base...)
		out.Needs = d.eval.resources(from.list)
	} else {
		from.list = d.base
	}
	d.hold(b.before, ctx, "Precondition failed", out.Addr.String(), nil)
	out.Triggers = d.triggers(ctx)
	d.file(out, from.list)
}

// together holds values that are right each for itself to what binds them.
func (d *decoder) together(out Desired) {
	b := d.node.block
	if b.Kind.Check == nil || b.Addr.Mode == addr.Exclusive {
		return
	}
	for _, p := range b.Kind.Check(out.Object) {
		at := b.Decl
		name, _, _ := strings.Cut(p.Attr, "[")
		if _, stated := out.Object.Value.Get(name); stated {
			at = out.Range(p.Attr)
		}
		if p.Known != nil {
			d.fail(at, "Invalid value", "%s: %s%s Expected: %s.", out.Addr, p.Text, didyoumean.Hint(p.Word, p.Known),
				orList(p.Known))
			continue
		}
		d.fail(at, "Invalid attribute combination", "%s: %s", out.Addr, p.Text)
	}
}

// file keeps the instance, or the reason why it cannot be planned.
func (d *decoder) file(out Desired, from []addr.Instance) {
	st, b := d.state, d.node.block
	st.insts = append(st.insts, out)
	block := Blocked{Addr: out.Addr, Decl: d.node.decl}
	d.eval.blame(&block, from)
	if block.Why == "" {
		switch {
		case b.Addr.Mode == addr.Exclusive:
			st.exclusives = append(st.exclusives, Exclusive{Addr: out.Addr, Kind: b.Kind, Owner: out, Block: b})
		case b.Addr.Mode == addr.Resource && b.Kind.Set != nil:
			block.Why = d.elements(out)
		}
	}
	if block.Why != "" {
		if st.blocked == nil {
			st.blocked = map[string]Blocked{}
		}
		st.blocked[out.Addr.Key] = block
	}
}
