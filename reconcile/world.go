package reconcile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// world is what a run knows so far: the declared objects, the collections and
// single objects read, and which is which. It grows wave by wave and never
// forgets or changes its mind. It is used by one goroutine at a time: while an
// apply runs, by whoever holds its lock.
type world struct {
	kinds   schema.Catalog
	self    schema.Self
	led     *ledger.Ledger
	keep    map[string][]string            // attributes worth holding, by kind
	block   func(addr.Block) *config.Block // the block of that address, or nil
	destroy bool
	traces  bool // lists tell who made their objects, and when
	// narrowing is what the plan is about; nil for everything.
	narrowing *narrowing
	patience  patience

	declarations
	matches
	readings
	departures
	messages
}

// declarations are what the configuration says.
type declarations struct {
	res          config.Result
	nodes        map[addr.Instance]*node
	all          []*node // in the order of the files
	order        []*node // those that the plan is about
	instances    map[addr.Block][]addr.Instance
	blockedIn    map[addr.Block][]addr.Instance // what the evaluation says is blocked
	blockedCalls []addr.Instance                // of these, whole calls of modules
	claimants    map[addr.Instance]*seeker      // the owners whose collections are claimed
	sources      map[addr.Instance]*source
	imports      map[addr.Instance]*config.Import
}

// matches are which is which. A declared thing with a path is known by it and,
// once placed, by its id; whatever else is referred to has one Ref.
type matches struct {
	byThing       map[thing]*node
	refs          map[thing]*schema.Ref
	claims        map[identity]*node
	keys          map[natural]*node             // natural keys declared so far
	byKindAndName map[string]map[string][]*node // what siblings refer to
	refers        map[string]bool               // whether siblings refer to a kind
	doors         map[thing][]*node             // what lets a thing in somewhere; nil before anybody asks
}

// readings are what the host says.
type readings struct {
	colls map[schema.Collection]*collection
	found map[lookup]schema.Reading
	shown map[thing]schema.State // of things that may be archived
	wave  wave
}

// departures are what the ledger has beyond the nodes.
type departures struct {
	orphans   map[addr.Instance]*orphan
	leaves    map[identity]bool // what this plan deletes
	movedFrom map[addr.Instance]addr.Instance
	rewrites  []ledger.Delta // what moved blocks and deposed objects do to it
}

// messages are what expressions, and people, are yet to be told.
type messages struct {
	news  map[addr.Block]bool // blocks that expressions may see more of
	diags hcl.Diagnostics
	notes []string
	noted map[string]bool
}

// thing is something of the host by kind and by id, or by its name or path in
// lower case.
type thing struct{ kind, id, name string }

func byID(kind, id string) thing     { return thing{kind: kind, id: id} }
func byName(kind, name string) thing { return thing{kind: kind, name: strings.ToLower(name)} }

func newWorld(kinds schema.Catalog, self schema.Self, led *ledger.Ledger) *world {
	return &world{
		kinds: kinds, self: self, led: led,
		declarations: declarations{nodes: map[addr.Instance]*node{}, claimants: map[addr.Instance]*seeker{}, sources: map[addr.Instance]*source{}},
		matches: matches{
			byThing: map[thing]*node{}, refs: map[thing]*schema.Ref{}, claims: map[identity]*node{}, keys: map[natural]*node{}, refers: map[string]bool{},
		},
		readings: readings{
			colls: map[schema.Collection]*collection{}, found: map[lookup]schema.Reading{}, shown: map[thing]schema.State{},
			wave: wave{wanted: map[schema.Collection]bool{}, asked: map[lookup]bool{}},
		},
		departures: departures{orphans: map[addr.Instance]*orphan{}, movedFrom: map[addr.Instance]addr.Instance{}},
		messages:   messages{news: map[addr.Block]bool{}, noted: map[string]bool{}},
	}
}

// declare takes in what an evaluation said and places the objects as far as
// they can be placed without reading.
func (w *world) declare(res config.Result) {
	w.res = res
	w.instances = map[addr.Block][]addr.Instance{}
	w.takeInstances()
	w.takeSources()
	w.takeExclusives()
	w.requested()
	w.takeBlocked()
	w.advance()
}

func (w *world) takeInstances() {
	w.all, w.byKindAndName = w.all[:0], map[string]map[string][]*node{}
	for i := range w.res.Instances {
		d := &w.res.Instances[i]
		n := w.nodes[d.Addr]
		if n == nil {
			n = &node{ref: &schema.Ref{Addr: d.Addr.String()}}
			if e, ok := w.led.Entries[d.Addr]; ok {
				n.entry, n.from = &e, w.movedFrom[d.Addr]
			}
			w.nodes[d.Addr] = n
		}
		n.take(d)
		w.keepInvitations(n)
		w.indexSibling(n)
		w.all = append(w.all, n)
		w.instances[d.Addr.Block] = append(w.instances[d.Addr.Block], d.Addr)
	}
}

func (w *world) takeSources() {
	for i := range w.res.Sources {
		d := &w.res.Sources[i]
		if w.sources[d.Addr] == nil {
			w.sources[d.Addr] = &source{}
		}
		w.sources[d.Addr].want = *d
		w.instances[d.Addr.Block] = append(w.instances[d.Addr.Block], d.Addr)
	}
}

func (w *world) takeExclusives() {
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		if w.claimants[x.Addr] == nil {
			w.claimants[x.Addr] = &seeker{}
		}
		s := w.claimants[x.Addr]
		s.want = x.Owner
		s.want.Addr, s.want.Block = x.Addr, x.Block
	}
}

func (w *world) takeBlocked() {
	w.blockedIn, w.blockedCalls = map[addr.Block][]addr.Instance{}, nil
	for _, b := range w.res.Blocked {
		w.blockedIn[b.Addr.Block] = append(w.blockedIn[b.Addr.Block], b.Addr)
		w.instances[b.Addr.Block] = append(w.instances[b.Addr.Block], b.Addr)
		if b.Addr.IsCall() {
			w.blockedCalls = append(w.blockedCalls, b.Addr)
		}
		if n := w.nodes[b.Addr]; n != nil && n.status != blocked && n.status != skipped {
			n.block(b.Why, b.By...)
		}
	}
}

// advance places every object that what is known so far can place. What is
// missing for the others it leaves in the wave.
func (w *world) advance() {
	w.wave.clear()
	w.doors = nil
	for _, n := range w.all {
		if n.kind().Tree != nil {
			w.pathOf(n, 0)
		}
	}
	w.narrow()
	for _, n := range w.order {
		w.place(n, 0)
	}
	for i := range w.res.Exclusives {
		w.claim(&w.res.Exclusives[i])
	}
	w.decideOrphans()
	w.placeExcluded()
	w.answerSources()
	w.readOrphanOwners()
	w.publishBlocked()
}

// publishBlocked lets expressions know of what has turned out to be blocked: whatever is
// made of it is blocked with it. It returns whether there was any.
func (w *world) publishBlocked() (any bool) {
	for _, n := range w.order {
		if (n.status == blocked || n.status == skipped) && !n.told {
			n.told, any = true, true
			w.news[n.want.Addr.Block] = true
		}
	}
	return any
}

// takeNews returns the blocks to evaluate again, and forgets them.
func (w *world) takeNews() []addr.Block {
	blocks := slices.Collect(maps.Keys(w.news))
	clear(w.news)
	return blocks
}

func (w *world) kind(name string) *schema.Kind { return w.kinds.Named(name) }

func (w *world) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !w.noted[n] {
		w.noted[n] = true
		w.notes = append(w.notes, n)
	}
}

func (w *world) conflict(n, other *node, detail string) {
	w.diags = append(w.diags, mistake(n.want.Block.Decl, "Two resources for one object",
		"%s %s and %s (%s) cannot both manage it; remove one of them.", detail, n.want.Addr, other.want.Addr, config.Place(other.want.Block.Decl)))
	n.block("two resources declare the same object", other.want.Addr)
}
