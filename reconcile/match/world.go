package match

import (
	"sync"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// World is what a run knows of the configuration, the host and the ledger. It grows wave by wave
// and never forgets or revises. It is not safe for concurrent use: during an apply, the goroutine
// that holds the apply's lock uses it.
type World struct {
	Kinds  schema.Catalog
	Self   schema.Self
	Ledger *ledger.Ledger

	cfg        *config.Config
	references func() map[addr.Block][]addr.Block
	destroy    bool
	drift      bool
	scope      *Scope // nil if the plan covers everything

	Declarations
	Matches
	Readings
	Undeclared
	Messages
}

// Options configure a world.
type Options struct {
	// Target and Exclude narrow the plan. If both are empty, it covers everything.
	Target, Exclude []addr.Instance
	// Destroy treats everything in the ledger as undeclared.
	Destroy bool
	// Drift requests who created the objects of lists, and when, and keeps objects that were
	// renamed by hand at their addresses, or that others marked for deletion.
	Drift bool
}

// New returns the world of a configuration, before anything is evaluated or read.
func New(kinds schema.Catalog, self schema.Self, cfg *config.Config, led *ledger.Ledger, opts Options) *World {
	w := &World{
		Kinds: kinds, Self: self, Ledger: led, cfg: cfg, destroy: opts.Destroy, drift: opts.Drift,
		Declarations: Declarations{nodes: map[addr.Instance]*Node{}, claimants: map[addr.Instance]*Declaration{},
			sources: map[addr.Instance]*Declaration{}},
		Matches: Matches{
			byRefKey: map[RefKey]*Node{}, byPath: map[string]*Node{}, refs: map[RefKey]*schema.Ref{},
			claimed: map[Identity]*Node{},
			keys:    map[naturalKey]*Node{}, refers: map[string]bool{}, declares: map[appliedKey][]*Node{},
		},
		Readings: Readings{
			colls: map[schema.Collection]*Collection{}, found: map[askKey]schema.Reading{},
			states: map[RefKey]schema.State{},
			wave:   wave{wanted: map[schema.Collection]bool{}, asked: map[askKey]bool{}},
			keep:   KeptAttributes(kinds, cfg, led), trace: opts.Drift,
		},
		Undeclared: Undeclared{orphans: map[addr.Instance]*Orphan{}, movedFrom: map[addr.Instance]addr.Instance{},
			renumbered: map[addr.Instance]addr.Instance{}},
		Messages: Messages{stale: map[addr.Block]bool{}, noted: map[string]bool{}},
	}
	w.references = sync.OnceValue(func() map[addr.Block][]addr.Block {
		uses := map[addr.Block][]addr.Block{}
		for _, d := range cfg.Dependencies() {
			uses[d.Block] = d.DependsOn
		}
		return uses
	})
	w.scope = newScope(opts, led)
	return w
}

// Block returns the block at an address, or nil.
func (w *World) Block(at addr.Block) *config.Block { return w.cfg.Block(at) }

// Uses returns the references of each block. The modules of the addresses have no keys.
func (w *World) Uses() map[addr.Block][]addr.Block { return w.references() }

// Scope returns the scope of a narrowed plan, or nil if the plan covers everything.
func (w *World) Scope() *Scope { return w.scope }

// BeginWave clears the reads of the last wave, computes the paths of declared objects, and narrows
// the plan by what is known now.
func (w *World) BeginWave() {
	w.wave.clear()
	w.grants, w.peerDeferral.waiting = nil, false
	for _, n := range w.all {
		if n.Kind().Tree != nil {
			w.pathOf(n, 0)
		}
	}
	w.narrow()
}

// MatchAll matches all nodes that can be matched so far and decides the actions on orphans. It adds
// the reads that the rest needs to the wave.
func (w *World) MatchAll() {
	for _, n := range w.order {
		w.matchNode(n, 0)
	}
	for i := range w.res.Exclusives {
		w.readClaim(&w.res.Exclusives[i])
	}
	w.decideOrphans()
	w.exchanged = false
	w.matchExcluded()
	if w.regroupElements() || w.exchanged {
		w.decideOrphans()
	}
}

// Kind returns the kind with a name, or nil.
func (w *World) Kind(name string) *schema.Kind { return w.Kinds.Named(name) }

// MarkCreated records that an apply created a declared object, so that references to it have an id
// and expressions over it can be evaluated again.
func (w *World) MarkCreated(at addr.Instance, o schema.Object) {
	n := w.nodes[at]
	n.ref.ID, n.live, n.status, n.replaced, n.detailed = o.ID, o, Matched, false, false
	w.MarkStale(at.Block)
	for at := range w.sources {
		w.MarkStale(at.Block) // it may list declared objects
	}
}

// Redeclare updates a node during an apply and returns its object with references resolved.
func (w *World) Redeclare(d *config.Desired) schema.Object {
	n := w.nodes[d.Addr]
	n.declare(d)
	w.Resolve(&n.Declaration)
	w.resolveSiblings(n)
	n.omitOutsiders()
	n.FillPath()
	return n.want.Object
}
