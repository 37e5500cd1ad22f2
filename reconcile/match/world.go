package match

import (
	"sync"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// World is what a run knows: what is declared, what is live, and which is
// which. It grows wave by wave and neither forgets nor changes its mind. One
// goroutine uses it at a time: while an apply runs, the one that holds the
// apply's lock.
type World struct {
	Kinds  schema.Catalog
	Self   schema.Self
	Ledger *ledger.Ledger

	cfg        *config.Config
	references func() map[addr.Block][]addr.Block
	destroy    bool
	scope      *Scope // nil where the plan is about everything

	Declarations
	Matches
	Readings
	Departures
	Messages
}

// Options say what a world is for.
type Options struct {
	// Target and Exclude narrow the plan; without any it is about everything.
	Target, Exclude []addr.Instance
	// Destroy treats everything in the ledger as undeclared.
	Destroy bool
	// Trace has lists say who made their objects, and when.
	Trace bool
}

// New returns the world of one configuration before anything is evaluated
// or read.
func New(kinds schema.Catalog, self schema.Self, cfg *config.Config, led *ledger.Ledger, opts Options) *World {
	w := &World{
		Kinds: kinds, Self: self, Ledger: led, cfg: cfg, destroy: opts.Destroy,
		Declarations: Declarations{nodes: map[addr.Instance]*Node{}, claimants: map[addr.Instance]*Seeker{},
			sources: map[addr.Instance]*Seeker{}},
		Matches: Matches{
			byThing: map[Thing]*Node{}, refs: map[Thing]*schema.Ref{}, claimed: map[Identity]*Node{},
			keys: map[naturalKey]*Node{}, refers: map[string]bool{},
		},
		Readings: Readings{
			colls: map[schema.Collection]*Collection{}, found: map[lookup]schema.Reading{},
			states: map[Thing]schema.State{},
			wave:   wave{wanted: map[schema.Collection]bool{}, asked: map[lookup]bool{}},
			keep:   KeptAttributes(kinds, cfg, led), trace: opts.Trace,
		},
		Departures: Departures{orphans: map[addr.Instance]*Orphan{}, movedFrom: map[addr.Instance]addr.Instance{}},
		Messages:   Messages{news: map[addr.Block]bool{}, noted: map[string]bool{}},
	}
	w.references = sync.OnceValue(func() map[addr.Block][]addr.Block {
		uses := map[addr.Block][]addr.Block{}
		for _, d := range cfg.Dependencies() {
			uses[d.Block] = d.Needs
		}
		return uses
	})
	w.scope = newScope(opts, led)
	return w
}

// Block returns the block of an address, nil for one that is not declared.
func (w *World) Block(at addr.Block) *config.Block { return w.cfg.Block(at) }

// Uses returns what each block refers to, by addresses whose modules have no keys.
func (w *World) Uses() map[addr.Block][]addr.Block { return w.references() }

// Scope returns what the plan is narrowed to, nil where it is about
// everything.
func (w *World) Scope() *Scope { return w.scope }

// BeginWave forgets what the last wave asked for, computes the paths of what is
// declared and narrows the plan by what is known now.
func (w *World) BeginWave() {
	w.wave.clear()
	w.grants = nil
	for _, n := range w.all {
		if n.Kind().Tree != nil {
			w.pathOf(n, 0)
		}
	}
	w.narrow()
}

// PlaceAll places every object that what is known so far can place, and
// decides what becomes of what nobody declares. What is missing for the others
// it leaves in the wave.
func (w *World) PlaceAll() {
	for _, n := range w.order {
		w.placeNode(n, 0)
	}
	for i := range w.res.Exclusives {
		w.readClaim(&w.res.Exclusives[i])
	}
	w.decideOrphans()
	w.placeExcluded()
}

// Kind returns the kind of a name, nil for one that there is not.
func (w *World) Kind(name string) *schema.Kind { return w.Kinds.Named(name) }

// MarkCreated records that an apply has made the object of a declaration:
// references to it have an id from now on, and expressions over it can be
// evaluated again.
func (w *World) MarkCreated(at addr.Instance, o schema.Object) {
	n := w.nodes[at]
	n.ref.ID, n.live, n.status, n.renewed, n.detailed = o.ID, o, Matched, false, false
	w.Announce(at.Block)
	for at := range w.sources {
		w.Announce(at.Block) // it may count what is declared
	}
}

// Redeclare takes in what the configuration says of an object during an apply.
// It returns the object with its references resolved.
func (w *World) Redeclare(d *config.Desired) schema.Object {
	n := w.nodes[d.Addr]
	n.declare(d)
	w.Resolve(&n.Seeker)
	w.resolveSiblings(n)
	n.FillPath()
	return n.want.Object
}
