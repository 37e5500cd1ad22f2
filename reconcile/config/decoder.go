package config

import (
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// decoder evaluates one block in one frame into instances.
type decoder struct {
	*report
	eval  *Eval
	node  *node
	frame *frame
	state *state
	ctx   *hcl.EvalContext
	// base is what every instance depends on.
	base  []addr.Instance
	needs []addr.Instance // base as resource instances
	after []addr.Block    // whole blocks, each of which may have thousands of instances
	shape *shape          // of the entries of a set kind

	current addr.Instance // being decoded
}

// collectBase collects what every instance depends on: instances with constant references,
// and depends_on.
func (d *decoder) collectBase() {
	var base instanceSet
	for _, r := range d.node.refs {
		if r.single() && !r.keys {
			base.add(addr.Instance{Block: r.to.address(d.frame), Key: r.key})
		}
	}
	for _, r := range d.node.after {
		d.checkKey(r)
		d.addDependency(r, d.frame, &base)
	}
	for f := d.frame; f.parent != nil; f = f.parent { // everything in a module depends on the call's depends_on
		for _, r := range f.mod.call.after {
			d.addDependency(r, f.parent, &base)
		}
	}
	d.base = base.list
	d.needs = d.eval.resourceInstances(base.list)
}

// addDependency adds a target of depends_on, in frame f.
func (d *decoder) addDependency(r ref, f *frame, base *instanceSet) {
	b := r.to.block
	switch {
	case r.to.isCall:
		st := &f.state[r.to.id]
		if st.unexpanded != nil {
			base.add(st.unexpanded.Addr)
		}
		for _, in := range st.frames {
			for _, n := range in.mod.nodes {
				d.addDependency(ref{to: n}, in, base)
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
		base.add(d.eval.blockedInstances(r.to, f)...)
	}
}

// decodeInstance evaluates the arguments of one instance and adds it to the state.
func (d *decoder) decodeInstance(i repetition) {
	b := d.node.block
	out := Desired{
		Addr:            addr.Instance{Block: d.node.address(d.frame), Key: i.key},
		Block:           b,
		DependsOn:       d.needs,
		DependsOnBlocks: d.after,
		Object:          schema.Object{Kind: b.Kind},
	}
	d.current = out.Addr
	ctx := i.scope(d.ctx)
	var from instanceSet
	deferred, sound := false, !b.invalid
	before := d.errors()
	for _, w := range b.args {
		if w.broken {
			sound = false
			continue
		}
		v, unknown, ok := d.evalArgument(w, ctx, out.Addr, &from)
		if !ok {
			continue
		}
		out.Object.Value.Set(w.attr, v)
		deferred = deferred || countUnknown(w.attr, v) > len(unknown)
		if out.Origin == nil && unknown != nil {
			out.Origin = map[string]addr.Instance{}
		}
		maps.Copy(out.Origin, unknown)
	}
	d.checkIgnored(b, ctx)
	if sound && d.errors() == before {
		d.checkCombination(out)
	}
	if deferred {
		out.DeferUntil = d.eval.blocks(d.node, d.frame)
	}
	if len(from.list) > 0 {
		from.add(d.base...)
		out.DependsOn = d.eval.resourceInstances(from.list)
	} else {
		from.list = d.base
	}
	d.checkConditions(b.preconditions, ctx, "Precondition failed", out.Addr.String(), nil)
	out.Triggers = d.evalTriggers(ctx)
	d.addInstance(out, from.list)
}

// checkCombination checks the kind's rules about several attributes at once.
func (d *decoder) checkCombination(out Desired) {
	b := d.node.block
	if b.Kind.Check == nil || b.Addr.Mode == addr.Exclusive {
		return
	}
	for _, p := range b.Kind.Check(out.Object) {
		at := b.DeclRange
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

// addInstance adds an instance to the state, and the reason if it cannot be planned.
func (d *decoder) addInstance(out Desired, from []addr.Instance) {
	st, b := d.state, d.node.block
	st.insts = append(st.insts, out)
	block := Blocked{Addr: out.Addr, DeclRange: d.node.decl}
	d.eval.findCauses(&block, from)
	if block.Reason == "" {
		switch {
		case b.Addr.Mode == addr.Exclusive:
			st.exclusives = append(st.exclusives, Exclusive{Addr: out.Addr, Kind: b.Kind, Owner: out, Block: b})
		case b.Addr.Mode == addr.Resource && b.Kind.Set != nil:
			block.Reason = d.expandSet(out)
		}
	}
	if block.Reason != "" {
		if st.blocked == nil {
			st.blocked = map[string]Blocked{}
		}
		st.blocked[out.Addr.Key] = block
	}
}
