package config

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// Eval evaluates a configuration in waves, and keeps what does not change between them. It
// is not safe for concurrent use.
type Eval struct {
	cfg          *Config
	ctx          context.Context // of the current call; once it ends, nothing more is evaluated
	oracle       Oracle
	root         *frame
	evaluated    []bool              // by sequence: the node is evaluated in every frame
	failed       []hcl.Diagnostics   // by sequence: the errors of all frames
	blockedCalls map[string]*Blocked // module calls whose keys are unknown
	probes       []*probe            // once a reference needs them
	isProbe      bool
}

// state is the result of a node in a frame.
type state struct {
	done  bool
	diags hcl.Diagnostics
	value cty.Value // as expressions see it; NilVal until one needs it
	// The rest is set for blocks of some kind.
	insts      []Desired    // one for each instance, blocked ones included
	items      []repetition // their each or count, if something needs it later
	elems      []Desired    // the elements of instances of set kinds
	exclusives []Exclusive
	unexpanded *Blocked              // set while the block's keys are unknown
	blocked    map[string]Blocked    // by instance key
	frames     []*frame              // of a module block
	checks     []Check               // of a check block
	imports    []Import              // of an import block
	positions  map[addr.Instance]int // see position
}

// NewEval returns an evaluation in which nothing is evaluated yet.
func (c *Config) NewEval() *Eval {
	return &Eval{cfg: c, ctx: context.Background(), oracle: offlineOracle{}, root: newFrame(c.root, nil, ""),
		blockedCalls: map[string]*Blocked{}, evaluated: make([]bool, len(c.order)),
		failed: make([]hcl.Diagnostics, len(c.order))}
}

// offlineOracle is an oracle that knows nothing.
type offlineOracle struct{}

func (offlineOracle) Live(addr.Instance) schema.Sparse { return schema.Sparse{} }
func (offlineOracle) Data(addr.Instance, schema.Object) (map[string]cty.Value, bool) {
	return nil, false
}
func (offlineOracle) Blocked(addr.Instance) string { return "" }

// run is Run without its limits.
func (e *Eval) run(o Oracle, stale []addr.Block) (Result, hcl.Diagnostics) {
	e.setOracle(o)
	e.invalidate(stale)
	for _, n := range e.cfg.order {
		e.evaluate(n)
	}
	var diags hcl.Diagnostics
	for m := range e.cfg.root.all {
		for _, n := range m.nodes {
			diags = append(diags, e.failed[n.seq]...)
		}
	}
	res := e.result()
	return res, e.cfg.seal(append(diags, checkDuplicateImports(res.Imports)...))
}

// setOracle sets the oracle. nil stands for one that knows nothing.
func (e *Eval) setOracle(o Oracle) {
	if o == nil {
		o = offlineOracle{}
	}
	e.oracle = o
}

// Instance evaluates one instance and only what it refers to, for an apply that asks for
// thousands one after another. It returns nil if the instance is blocked or no longer
// declared. For o and stale see Run.
func (e *Eval) Instance(o Oracle, a addr.Instance, stale ...addr.Block) (*Desired, hcl.Diagnostics) {
	e.setContext(context.Background()) // changes in flight are finished
	e.setOracle(o)
	e.invalidate(stale)
	n := e.cfg.findNode(a.Block)
	if n == nil {
		return nil, nil
	}
	var diags hcl.Diagnostics
	visitDependencies(n, func(n *node) { diags = append(diags, e.evaluate(n)...) })
	n, f := e.findBlock(a.Block)
	if n == nil {
		return nil, e.cfg.seal(diags)
	}
	st := &f.state[n.id]
	of := st.insts
	if n.block.Kind.Set != nil {
		of = st.elems
	}
	if _, blocked := st.blocked[a.Key]; blocked {
		return nil, e.cfg.seal(diags)
	}
	i, declared := st.position(of, a)
	if !declared {
		return nil, e.cfg.seal(diags)
	}
	return &of[i], e.cfg.seal(diags)
}

// position returns where an instance is in of, which are the instances of the state or their
// elements. An apply asks for each of them, so the first call makes an index.
func (s *state) position(of []Desired, a addr.Instance) (i int, declared bool) {
	if s.positions == nil {
		s.positions = make(map[addr.Instance]int, len(of))
		for i := range slices.Backward(of) { // of two with one address, the first counts
			s.positions[of[i].Addr] = i
		}
	}
	i, declared = s.positions[a]
	return i, declared
}

// Verify checks the postconditions of an instance that was just written. It skips those
// that are still unknown.
func (e *Eval) Verify(o Oracle, a addr.Instance) hcl.Diagnostics {
	e.setContext(context.Background())
	e.setOracle(o)
	n, f := e.findBlock(a.Block)
	if n == nil || n.block.postconditions == nil {
		return nil
	}
	r := &report{}
	visitDependencies(n.block.postconditions, func(n *node) { r.add(e.evaluate(n)) })
	r.diags = nil
	st := &f.state[n.id]
	e.cfg.work.Reset()
	for i := range st.insts {
		if st.insts[i].Addr.Key == a.Key {
			e.checkPostconditions(r, n.block.postconditions, f, &st.insts[i], st.items[i])
		}
	}
	return e.cfg.seal(r.diags)
}

// invalidate drops the results that depend on stale blocks.
func (e *Eval) invalidate(stale []addr.Block) {
	for _, b := range stale {
		if n, f := e.findBlock(b); n != nil {
			st := &f.state[n.id]
			st.value = cty.NilVal
			blocked := e.hasBlocked(st)
			for u, in := range e.usersOf(n, f) {
				if blocked || !u.needsOnlyID(n) {
					e.invalidateUser(u, in)
				}
			}
		}
	}
	for _, p := range e.probes {
		p.eval.invalidate(stale)
	}
}

// invalidateUser drops the result of a node in a frame, and those of its users.
func (e *Eval) invalidateUser(u *node, in *frame) {
	if !in.state[u.id].done {
		return
	}
	in.state[u.id] = state{}
	e.evaluated[u.seq] = false
	for inner := range u.innerNodes { // the frames were part of the state
		e.evaluated[inner.seq] = false
	}
	for user, in := range e.usersOf(u, in) {
		e.invalidateUser(user, in)
	}
}

// evaluate evaluates a node in all of its frames. Everything that it refers to must be
// evaluated.
func (e *Eval) evaluate(n *node) hcl.Diagnostics {
	if e.evaluated[n.seq] || e.interrupted() {
		return e.failed[n.seq]
	}
	e.evaluated[n.seq], e.failed[n.seq] = true, nil
	e.cfg.memory.at.Store(rangeOf(n))
	e.cfg.work.Reset()
	if n.variable != nil && n.rule == nil {
		for f := range e.frames(n.scope) {
			e.evalVariable(n, f)
		}
	} else {
		for f := range e.frames(n.mod) {
			e.evaluateFrame(n, f)
		}
	}
	return e.failed[n.seq]
}

func (e *Eval) evaluateFrame(n *node, f *frame) {
	st := &f.state[n.id]
	if st.done {
		e.failed[n.seq] = append(e.failed[n.seq], st.diags...)
		return
	}
	st.done = true
	switch {
	case n.broken:
		st.value = cty.DynamicVal
	case n.block != nil:
		e.evalBlock(n, f, st)
	case n.calls != nil:
		e.evalCall(n, f, st)
	case n.rule != nil:
		e.evalRule(n, f, st)
	case n.imports != nil:
		e.evalImport(n, f, st)
	case n.settings: // evaluated by Hew and Provider
	default:
		st.value, st.diags = n.exprs[0].Value(e.scope(n, f))
		st.diags = append(st.diags, checkSize(st.value, n.exprs[0].Range())...)
		if n.output != nil && n.output.sensitive {
			st.value = st.value.Mark(schema.Secret)
		}
	}
	e.record(n, st)
}

// record keeps the errors of a state. The node then has an unknown value, so that
// references to it cause no further errors.
func (e *Eval) record(n *node, st *state) {
	if st.diags.HasErrors() {
		st.value = cty.DynamicVal
	}
	e.failed[n.seq] = append(e.failed[n.seq], st.diags...)
}
