package config

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
)

// result assembles the results of all nodes in the order of the files. Nodes of a module
// come at the place of its call.
func (e *Eval) result() Result {
	out := Result{Hew: e.cfg.hew}
	e.collect(e.root, &out)
	return out
}

func (e *Eval) collect(f *frame, out *Result) {
	for _, m := range f.mod.moves {
		m.From.Module, m.To.Module = addr.JoinCalls(f.path, m.From.Module), addr.JoinCalls(f.path, m.To.Module)
		out.Moves = append(out.Moves, m)
	}
	for _, r := range f.mod.removals {
		r.From.Module = addr.JoinCalls(f.path, r.From.Module)
		out.Removals = append(out.Removals, r)
	}
	for _, n := range f.mod.nodes {
		st := &f.state[n.id]
		out.Checks = append(out.Checks, st.checks...)
		out.Imports = append(out.Imports, st.imports...)
		if st.unexpanded != nil {
			out.Blocked = append(out.Blocked, *st.unexpanded)
		}
		for _, in := range st.frames {
			e.collect(in, out)
		}
		switch {
		case n.block != nil:
			out.addBlock(n, st)
		case n.output != nil && f.parent == nil:
			v := st.value
			if v == cty.NilVal {
				v = cty.DynamicVal
			}
			v, _ = stripOrigins(v, &instanceSet{})
			out.Outputs = append(out.Outputs,
				Output{Name: n.label, Doc: n.output.doc, Value: v, Sensitive: n.output.sensitive})
		}
	}
}

// addBlock adds the results of a block.
func (r *Result) addBlock(n *node, st *state) {
	for i := range st.insts {
		if b, ok := st.blocked[st.insts[i].Addr.Key]; ok {
			r.Blocked = append(r.Blocked, b)
		}
	}
	switch n.block.Addr.Mode {
	case addr.Data:
		r.Sources = appendUnblocked(r.Sources, st.insts, st)
	case addr.Resource:
		if n.block.Kind.Set != nil {
			r.Instances = append(r.Instances, st.elems...)
		} else {
			r.Instances = appendUnblocked(r.Instances, st.insts, st)
		}
	}
	r.Exclusives = append(r.Exclusives, st.exclusives...)
}

func appendUnblocked(to, from []Desired, st *state) []Desired {
	if len(st.blocked) == 0 {
		return append(to, from...)
	}
	return append(to, slices.DeleteFunc(slices.Clone(from), func(d Desired) bool {
		_, blocked := st.blocked[d.Addr.Key]
		return blocked
	})...)
}
