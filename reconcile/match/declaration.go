package match

import (
	"iter"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// Declarations hold the result of the last evaluation and the nodes made from it.
type Declarations struct {
	res          config.Result
	nodes        map[addr.Instance]*Node
	all          []*Node // in the order of the files
	order        []*Node // those in the plan's scope
	instances    map[addr.Block][]addr.Instance
	blockedIn    map[addr.Block][]addr.Instance // what the evaluation blocked
	blockedCalls []addr.Instance                // the module calls among them
	claimants    map[addr.Instance]*Declaration // by exclusive block
	sources      map[addr.Instance]*Declaration
	imports      map[addr.Instance]*config.Import
}

// Result returns the last evaluation.
func (d *Declarations) Result() config.Result { return d.res }

// Node returns the declared object at an address, or nil.
func (d *Declarations) Node(at addr.Instance) *Node { return d.nodes[at] }

// Declared returns all declared objects in file order.
func (d *Declarations) Declared() []*Node { return d.all }

// Planned returns the declared objects in the plan's scope, in file order.
func (d *Declarations) Planned() []*Node { return d.order }

// Source returns the data source at an address, or nil.
func (d *Declarations) Source(at addr.Instance) *Declaration { return d.sources[at] }

// BlockedBlocks yields the blocks in which the evaluation blocked something.
func (d *Declarations) BlockedBlocks() iter.Seq[addr.Block] {
	return func(yield func(addr.Block) bool) {
		for b := range d.blockedIn {
			if !yield(b) {
				return
			}
		}
	}
}

// Claims yields the exclusive blocks, each with the declaration that locates the collection it
// claims.
func (d *Declarations) Claims() iter.Seq2[*config.Exclusive, *Declaration] {
	return func(yield func(*config.Exclusive, *Declaration) bool) {
		for i := range d.res.Exclusives {
			if x := &d.res.Exclusives[i]; !yield(x, d.claimants[x.Addr]) {
				return
			}
		}
	}
}

// Declare replaces the declarations with the result of an evaluation. Nodes that are still declared
// keep what is known about them.
func (w *World) Declare(res config.Result) {
	w.res = res
	w.instances = map[addr.Block][]addr.Instance{}
	w.declareInstances()
	w.declareSources()
	w.declareExclusives()
	w.declareImports()
	w.declareBlocked()
}

func (w *World) declareInstances() {
	w.all, w.peers, w.byKindAndName = w.all[:0], nil, map[string]map[string][]*Node{}
	for i := range w.res.Instances {
		d := &w.res.Instances[i]
		n := w.nodes[d.Addr]
		if n == nil {
			n = &Node{ref: &schema.Ref{Addr: d.Addr.String()}}
			if e, ok := w.Ledger.Entries[d.Addr]; ok {
				n.entry, n.from = &e, w.movedFrom[d.Addr]
			}
			w.nodes[d.Addr] = n
		}
		n.declare(d)
		w.keepInvitations(n)
		w.indexSibling(n)
		w.all = append(w.all, n)
		w.instances[d.Addr.Block] = append(w.instances[d.Addr.Block], d.Addr)
	}
}

func (w *World) declareSources() {
	for i := range w.res.Sources {
		d := &w.res.Sources[i]
		if w.sources[d.Addr] == nil {
			w.sources[d.Addr] = &Declaration{}
		}
		w.sources[d.Addr].want = *d
		w.instances[d.Addr.Block] = append(w.instances[d.Addr.Block], d.Addr)
	}
}

func (w *World) declareExclusives() {
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		if w.claimants[x.Addr] == nil {
			w.claimants[x.Addr] = &Declaration{}
		}
		s := w.claimants[x.Addr]
		s.want = x.Owner
		s.want.Addr, s.want.Block = x.Addr, x.Block
	}
}

func (w *World) declareBlocked() {
	w.blockedIn, w.blockedCalls = map[addr.Block][]addr.Instance{}, nil
	for _, b := range w.res.Blocked {
		w.blockedIn[b.Addr.Block] = append(w.blockedIn[b.Addr.Block], b.Addr)
		w.instances[b.Addr.Block] = append(w.instances[b.Addr.Block], b.Addr)
		if b.Addr.IsCall() {
			w.blockedCalls = append(w.blockedCalls, b.Addr)
		}
		if n := w.nodes[b.Addr]; n != nil && n.status != Blocked && n.status != Skipped {
			n.Block(b.Reason, b.Causes...)
		}
	}
}
