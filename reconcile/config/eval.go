package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// Eval evaluates a configuration wave after wave and keeps what did not
// change. It is not safe for concurrent use.
type Eval struct {
	cfg    *Config
	oracle Oracle
	state  []state // by node id
}

// state is what a node evaluated to.
type state struct {
	done   bool
	failed bool // itself or something that it refers to
	diags  hcl.Diagnostics
	value  cty.Value // as expressions see it; NilVal until somebody looks
	// of blocks
	insts      []Desired // one an instance, blocked ones included
	elems      []Desired // of set kinds: what the instances expand to
	exclusives []Exclusive
	closed     *Blocked           // the whole block, for its keys are not known
	blocked    map[string]Blocked // single instances, by key
}

// NewEval returns an evaluation that has not seen anything yet.
func (c *Config) NewEval() *Eval {
	return &Eval{cfg: c, oracle: offline{}, state: make([]state, len(c.nodes))}
}

// offline is the oracle that knows nothing.
type offline struct{}

func (offline) Live(addr.Instance) schema.Sparse { return schema.Sparse{} }
func (offline) Data(addr.Instance, schema.Object) (map[string]cty.Value, bool) {
	return nil, false
}
func (offline) Blocked(addr.Instance) string { return "" }

// Run evaluates what has not been evaluated, and again what depends on a stale
// block: one of which the oracle has learned something since the last Run, or
// that became blocked. A nil oracle knows nothing, which is how configurations
// are validated offline. The Result is the caller's, its Desired share slices
// and maps with later results.
func (e *Eval) Run(o Oracle, stale ...addr.Block) (Result, hcl.Diagnostics) {
	if o == nil {
		o = offline{}
	}
	e.oracle = o
	e.forget(stale)
	var diags hcl.Diagnostics
	for _, n := range e.cfg.order {
		e.evaluate(n)
	}
	for _, n := range e.cfg.nodes {
		diags = append(diags, e.state[n.id].diags...)
	}
	return e.result(), seal(diags)
}

// Instance evaluates one instance and what it refers to, as Run does and for as
// little as that: an apply asks for thousands, one after another. It returns nil
// for one that is not declared any more, or blocked.
func (e *Eval) Instance(o Oracle, a addr.Instance, stale ...addr.Block) (*Desired, hcl.Diagnostics) {
	e.oracle = o
	e.forget(stale)
	n := e.cfg.names[a.Block.String()]
	if n == nil {
		return nil, nil
	}
	var diags hcl.Diagnostics
	seen := map[*node]bool{}
	var need func(*node)
	need = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, r := range slices.Concat(n.refs, n.after) {
			need(r.to)
		}
		e.evaluate(n)
		diags = append(diags, e.state[n.id].diags...)
	}
	need(n)
	st := &e.state[n.id]
	of := st.insts
	if n.block.Kind.Set != nil {
		of = st.elems
	}
	if _, blocked := st.blocked[a.Key]; blocked {
		return nil, seal(diags)
	}
	i := slices.IndexFunc(of, func(d Desired) bool { return d.Addr == a })
	if i < 0 {
		return nil, seal(diags)
	}
	return &of[i], seal(diags)
}

// forget prepares for evaluating again what depends on stale blocks.
func (e *Eval) forget(stale []addr.Block) {
	for _, b := range stale {
		if n := e.cfg.names[b.String()]; n != nil {
			e.state[n.id].value = cty.NilVal
			e.forgetUsers(n)
		}
	}
}

func (e *Eval) forgetUsers(n *node) {
	for _, u := range n.users {
		if e.state[u.id].done {
			e.state[u.id] = state{}
			e.forgetUsers(u)
		}
	}
}

// evaluate settles one node whose references are settled.
func (e *Eval) evaluate(n *node) {
	st := &e.state[n.id]
	if st.done {
		return
	}
	st.done = true
	for _, r := range n.refs {
		if e.state[r.to.id].failed { // reported there
			st.failed = true
			return
		}
	}
	switch {
	case n.block != nil:
		e.block(n, st)
	case n.name == "hew" || n.name == "provider": // evaluated on their own
	case len(n.exprs) == 1:
		st.value, st.diags = n.exprs[0].Value(e.scope(n))
	}
	st.failed = st.diags.HasErrors()
}

// result puts together what the nodes came to, in the order of the files.
func (e *Eval) result() Result {
	out := Result{Moves: e.cfg.moves, Removals: e.cfg.removals, Hew: e.cfg.hew}
	for _, n := range e.cfg.nodes {
		st := &e.state[n.id]
		if n.block == nil {
			continue
		}
		if st.closed != nil {
			out.Blocked = append(out.Blocked, *st.closed)
		}
		for i := range st.insts {
			if b, ok := st.blocked[st.insts[i].Addr.Key]; ok {
				out.Blocked = append(out.Blocked, b)
			}
		}
		switch n.block.Addr.Mode {
		case addr.Data:
			out.Sources = appendFree(out.Sources, st.insts, st)
		case addr.Resource:
			if n.block.Kind.Set != nil {
				out.Instances = append(out.Instances, st.elems...)
			} else {
				out.Instances = appendFree(out.Instances, st.insts, st)
			}
		}
		out.Exclusives = append(out.Exclusives, st.exclusives...)
	}
	for _, o := range e.cfg.outputs {
		v := e.state[o.id].value
		if v == cty.NilVal {
			v = cty.DynamicVal
		}
		v, _ = strip(v, &pile{})
		out.Outputs = append(out.Outputs, Output{Name: o.title(), Doc: o.doc, Value: v, Sensitive: o.sensitive})
	}
	return out
}

func appendFree(to, from []Desired, st *state) []Desired {
	if len(st.blocked) == 0 {
		return append(to, from...)
	}
	for _, d := range from {
		if _, blocked := st.blocked[d.Addr.Key]; !blocked {
			to = append(to, d)
		}
	}
	return to
}

// blockedBy returns why what depends on i cannot be planned, or "".
func (e *Eval) blockedBy(i addr.Instance) string {
	if n := e.cfg.names[i.Block.String()]; n != nil {
		st := &e.state[n.id]
		if st.closed != nil {
			return st.closed.Why
		}
		if b, ok := st.blocked[i.Key]; ok {
			return b.Why
		}
	}
	return e.oracle.Blocked(i)
}

// closedIn returns the instances of a block that cannot be planned, or the block
// itself: what depends on the block as a whole is blocked by them.
func (e *Eval) closedIn(n *node) []addr.Instance {
	st := &e.state[n.id]
	if st.closed != nil {
		return []addr.Instance{{Block: n.block.Addr}}
	}
	of := st.insts
	if n.block.Kind.Set != nil && n.block.Addr.Mode == addr.Resource {
		of = st.elems
	}
	var out []addr.Instance
	for i := range of {
		if e.blockedBy(of[i].Addr) != "" {
			out = append(out, of[i].Addr)
		}
	}
	return out
}

// resources turns instances that something comes from into the resource
// instances to wait for: a data source stands for what it waits for itself, a
// set for its elements.
func (e *Eval) resources(from []addr.Instance) []addr.Instance {
	var out pile
	for _, i := range from {
		n := e.cfg.names[i.Block.String()]
		switch {
		case n == nil:
			out.add(i)
		case i.Mode == addr.Data:
			for _, d := range e.state[n.id].insts {
				if d.Addr.Key == i.Key {
					out.add(d.Needs...)
				}
			}
		case n.block.Kind.Set != nil:
			for _, d := range e.state[n.id].elems {
				if d.Addr.Key == i.Key {
					out.add(d.Addr)
				}
			}
		default:
			out.add(i)
		}
	}
	slices.SortFunc(out.list, addr.Instance.Compare)
	return out.list
}
