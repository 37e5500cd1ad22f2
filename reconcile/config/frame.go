package config

import (
	"iter"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
)

// frame is an instance of a module: the root, or one for each key of a module block. Every
// node of the module has a state in each frame.
type frame struct {
	mod        *module
	parent     *frame
	path       string  // the calls that lead to it, with their keys: web["a"].hooks
	repetition         // its key, and each or count of the module block
	state      []state // by node id
}

func newFrame(m *module, parent *frame, path string) *frame {
	return &frame{mod: m, parent: parent, path: path, state: make([]state, len(m.nodes))}
}

// name returns the name of something in the module as seen from the root, with keys.
func (f *frame) name(inner string) string { return fromRoot(f.path, inner) }

// scopeFrame returns the frame in which n's expressions are evaluated, for n in f.
func (f *frame) scopeFrame(n *node) *frame {
	if n.scope == n.mod {
		return f
	}
	return f.parent
}

// frames yields the frames of a module that exist so far.
func (e *Eval) frames(m *module) iter.Seq[*frame] {
	return func(yield func(*frame) bool) {
		if m.parent == nil {
			yield(e.root)
			return
		}
		for f := range e.frames(m.parent) {
			for _, in := range f.state[m.call.id].frames {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// findBlock returns the node of a block and its frame, or nil if the configuration has no
// such block.
func (e *Eval) findBlock(b addr.Block) (*node, *frame) {
	f := e.root
	for rest := b.Module; rest != ""; {
		var name, key string
		name, key, rest = addr.CutCall(rest)
		n := f.mod.names["module."+name]
		if n == nil {
			return nil, nil
		}
		inner := f.state[n.id].frames
		i := slices.IndexFunc(inner, func(in *frame) bool { return in.key == key })
		if i < 0 {
			return nil, nil
		}
		f = inner[i]
	}
	b.Module = ""
	return f.mod.names[b.String()], f
}

// targets yields what a reference of n leads to. An output of a module with keys has a
// target in each frame.
func (e *Eval) targets(n *node, f *frame, r ref) iter.Seq2[*node, *frame] {
	return func(yield func(*node, *frame) bool) {
		in := f.scopeFrame(n)
		if r.to.mod == in.mod {
			yield(r.to, in)
			return
		}
		for _, inner := range in.state[r.to.mod.call.id].frames {
			if !yield(r.to, inner) {
				return
			}
		}
	}
}

// usersOf yields the nodes that refer to n in f, with their frames.
func (e *Eval) usersOf(n *node, f *frame) iter.Seq2[*node, *frame] {
	return func(yield func(*node, *frame) bool) {
		for _, u := range n.users {
			at := f // the frame that u is evaluated in
			if u.scope != n.mod {
				at = f.parent
			}
			if u.mod == u.scope {
				if !yield(u, at) {
					return
				}
				continue
			}
			for _, in := range at.state[u.mod.call.id].frames {
				if !yield(u, in) {
					return
				}
			}
		}
	}
}

// blocks returns the blocks that n refers to in f, directly or through local values,
// variables and outputs.
func (e *Eval) blocks(n *node, f *frame) []addr.Block {
	type place struct {
		n *node
		f *frame
	}
	var out []addr.Block
	seen := map[place]bool{}
	var visit func(n *node, f *frame)
	visit = func(n *node, f *frame) {
		for _, r := range n.refs {
			for to, in := range e.targets(n, f, r) {
				if seen[place{to, in}] {
					continue
				}
				seen[place{to, in}] = true
				if to.block != nil {
					out = append(out, to.address(in))
				} else {
					visit(to, in)
				}
			}
		}
	}
	visit(n, f)
	return out
}

// address returns the address of a block in a frame.
func (n *node) address(f *frame) addr.Block {
	b := n.block.Addr
	b.Module = f.path
	return b
}

// evalCall creates the frames of a module block.
func (e *Eval) evalCall(n *node, f *frame, st *state) {
	r := &report{}
	path := addr.JoinCalls(f.path, n.label)
	d := decoder{eval: e, node: n, frame: f, state: st, report: r, ctx: e.scope(n, f)}
	items, closed := d.expand(n.repeat)
	st.diags, st.unexpanded = r.diags, closed
	delete(e.blockedCalls, path)
	if closed != nil {
		closed.Addr = addr.Instance{Block: addr.Block{Module: path}}
		e.blockedCalls[path] = closed
		return
	}
	for _, i := range items {
		at := path
		if i.key != "" {
			at += "[" + i.key + "]"
		}
		in := newFrame(n.calls, f, at)
		in.repetition = i
		st.frames = append(st.frames, in)
	}
}

// evalVariable evaluates a module's variable in all frames of one call.
func (e *Eval) evalVariable(n *node, caller *frame) {
	ctx := e.scope(n, caller)
	v := n.variable
	for _, f := range caller.state[n.mod.call.id].frames {
		st := &f.state[n.id]
		if st.done {
			continue
		}
		*st = state{done: true}
		if n.broken {
			st.value = cty.DynamicVal
			continue
		}
		r := &report{}
		var g givenValue
		if len(n.exprs) > 0 {
			value, diags := n.exprs[0].Value(f.repetition.scope(ctx))
			r.add(diags)
			if diags.HasErrors() {
				value = cty.DynamicVal
			}
			g = givenValue{value, n.argumentRange, "the module block"}
		}
		st.value = r.convertVariable(v, g)
		st.diags = append(r.diags, checkSize(st.value, *rangeOf(n))...)
		e.record(n, st)
	}
}
