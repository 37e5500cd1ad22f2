package reconcile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// world is what a run knows so far: the declared objects, the collections and
// single objects read, and which is which. It grows wave by wave and never
// forgets or changes its mind. It is used by one goroutine.
type world struct {
	kinds schema.Catalog
	self  schema.Self
	led   *ledger.Ledger
	keep  map[string][]string // attributes worth holding, by kind
	// declared tells whether the configuration has a block; nil says no.
	declares func(addr.Block) bool
	destroy  bool

	res   config.Result
	nodes map[addr.Instance]*node
	order []*node
	// declared things with a path, by kind and planned path; placed ones, by
	// kind and id.
	byPath, byID map[string]*node
	refs         map[string]*schema.Ref // everything else referred to, by kind and id or name
	claims       map[identity]*node
	keys         map[string]*node

	colls     map[schema.Collection]*collection
	found     map[lookup]schema.Reading
	data      map[addr.Instance]*answer
	claimant  map[addr.Instance]*node // the owners that exclusive blocks claim
	orphan    map[addr.Instance]*orphan
	leaves    map[identity]bool               // what this plan deletes
	movedFrom map[addr.Instance]addr.Instance // by moved blocks: new address → old

	queries []schema.Query // wanted by this wave
	asks    []schema.Ask
	askIDs  []lookup
	wanted  map[schema.Collection]bool
	asked   map[lookup]bool
	stale   map[addr.Block]bool
	lost    map[string]addr.Instance // owners that the ledger knows and that answer 404
	diags   hcl.Diagnostics
	notes   []string
}

// lookup identifies an Ask; one for a data source asks for more attributes.
type lookup struct {
	kind, owner, id, key string
	full                 bool
}

func newWorld(kinds schema.Catalog, self schema.Self, led *ledger.Ledger, keep map[string][]string) *world {
	return &world{
		kinds: kinds, self: self, led: led, keep: keep,
		nodes:  map[addr.Instance]*node{},
		byPath: map[string]*node{}, byID: map[string]*node{},
		refs:   map[string]*schema.Ref{},
		claims: map[identity]*node{}, keys: map[string]*node{},
		colls: map[schema.Collection]*collection{}, wanted: map[schema.Collection]bool{},
		found: map[lookup]schema.Reading{}, asked: map[lookup]bool{},
		data:      map[addr.Instance]*answer{},
		claimant:  map[addr.Instance]*node{},
		orphan:    map[addr.Instance]*orphan{},
		movedFrom: map[addr.Instance]addr.Instance{},
		stale:     map[addr.Block]bool{},
	}
}

// declare takes in what an evaluation said and places the objects as far as
// they can be placed without reading.
func (w *world) declare(res config.Result) {
	w.res = res
	w.order = w.order[:0]
	for i := range res.Instances {
		d := &res.Instances[i]
		n := w.nodes[d.Addr]
		if n == nil {
			n = &node{ref: &schema.Ref{Addr: d.Addr.String()}}
			if e, ok := w.led.Entries[d.Addr]; ok {
				n.entry, n.from = &e, w.movedFrom[d.Addr]
			}
			w.nodes[d.Addr] = n
		}
		n.want = *d
		n.want.Object.Value = d.Object.Value.Clone() // references are folded into it, and expressions see the other
		w.order = append(w.order, n)
	}
	for _, b := range res.Blocked {
		if n := w.nodes[b.Addr]; n != nil && n.status != blocked && n.status != skipped {
			n.block(b.Why, b.By...)
		}
	}
	w.settle()
}

// settle places every object that what is known so far can place. What is
// missing for the others it leaves in queries and asks.
func (w *world) settle() {
	w.queries, w.asks, w.askIDs = nil, nil, nil
	for _, n := range w.order {
		if n.kind().Tree != nil {
			w.pathOf(n, 0)
		}
	}
	for _, n := range w.order {
		w.place(n, 0)
	}
	for i := range w.res.Exclusives {
		w.claim(&w.res.Exclusives[i])
	}
	w.bereave()
	w.answer()
}

// maxDepth bounds chains of owners; hosts allow twenty levels of groups.
const maxDepth = 64

// pathOf computes the planned path of a declared thing from its owner's.
func (w *world) pathOf(n *node, depth int) string {
	if n.ref.Path != "" || depth > maxDepth {
		return n.ref.Path
	}
	k := n.kind()
	seg := text(n.want.Object.Get(k.Tree.Segment))
	if seg == "" {
		return ""
	}
	path := seg
	if owner := n.want.Object.Get(k.Tree.Owner); !owner.IsNull() {
		above := ""
		switch target := w.nodes[n.want.Origin[k.Tree.Owner]]; {
		case target != nil && target.kind().Tree != nil:
			above = w.pathOf(target, depth+1)
		default:
			above = w.ownerPath(k.Attr(k.Tree.Owner), owner, depth)
		}
		if above == "" {
			return ""
		}
		path = above + "/" + seg
	}
	n.ref.Path = path
	id := k.Name + " " + strings.ToLower(path)
	if other := w.byPath[id]; other != nil && other != n {
		w.conflict(n, other, fmt.Sprintf("Both declare the %s %q.", k.Name, path))
		return path
	}
	w.byPath[id] = n
	w.stale[n.want.Addr.Block] = true // expressions may now see the path
	return path
}

// ownerPath is the path of an owner given by name or id.
func (w *world) ownerPath(a *schema.Attr, v cty.Value, depth int) string {
	r, ok := schema.RefOf(v)
	if !ok {
		return ""
	}
	if r.Path != "" {
		return r.Path
	}
	if t := w.byID[a.Ref+" "+r.ID]; t != nil {
		return w.pathOf(t, depth+1)
	}
	return w.ref(a.Ref, r).Path
}

// ref returns the one reference shared by all that name the thing, from the
// declared object if there is one.
func (w *world) ref(kind string, r schema.Ref) *schema.Ref {
	if r.Path != "" {
		if n := w.byPath[kind+" "+strings.ToLower(r.Path)]; n != nil {
			return n.ref
		}
	}
	if r.ID != "" {
		if n := w.byID[kind+" "+r.ID]; n != nil {
			return n.ref
		}
	}
	id := kind + " #" + r.ID
	if r.ID == "" {
		id = kind + " " + strings.ToLower(r.Path)
	}
	if known := w.refs[id]; known != nil {
		return known
	}
	known := &r
	w.refs[id] = known
	return known
}

// resolve folds the references of a declared object. It returns false while
// one of them is unknown and nobody can say whose it is.
func (w *world) resolve(n *node) bool {
	all := true
	for a, v := range n.want.Object.Value.All() {
		if a.Ref == "" || v.IsNull() {
			continue
		}
		ref := schema.AsRef(v)
		if ref == nil || ref.Addr == "" {
			if ref = w.fold(n, a, v); ref == nil {
				all = false
				continue
			}
			n.want.Object.Value.Set(a, schema.RefVal(ref))
		}
		if target := w.byAddr(a.Ref, ref); target != nil {
			n.want.Needs = needing(n.want.Needs, target.want.Addr)
		}
	}
	return all
}

// fold is the reference that a stated id, path or name stands for, nil while
// it is unknown.
func (w *world) fold(n *node, a *schema.Attr, v cty.Value) *schema.Ref {
	if target := w.nodes[n.want.Origin[a.Name]]; target != nil {
		return target.ref
	}
	r, ok := schema.RefOf(v)
	if !ok {
		return nil
	}
	return w.ref(a.Ref, r)
}

func needing(needs []addr.Instance, a addr.Instance) []addr.Instance {
	for _, n := range needs {
		if n == a {
			return needs
		}
	}
	return append(needs[:len(needs):len(needs)], a)
}

// byAddr is the declared object behind a reference, or nil.
func (w *world) byAddr(kind string, r *schema.Ref) *node {
	if r.Addr == "" {
		return nil
	}
	if n := w.byPath[kind+" "+strings.ToLower(r.Path)]; n != nil && n.ref == r {
		return n
	}
	if n := w.byID[kind+" "+r.ID]; n != nil && n.ref == r {
		return n
	}
	return nil
}

// look returns the single object asked for, or asks for it and returns false.
func (w *world) look(a schema.Ask) (schema.Reading, bool) {
	id := lookupOf(a)
	if r, ok := w.found[id]; ok {
		return r, true
	}
	if w.asked[id] {
		return schema.Reading{}, false
	}
	w.asked[id] = true
	if a.Keep == nil {
		a.Keep = w.keep[a.Kind.Name]
	}
	w.asks, w.askIDs = append(w.asks, a), append(w.askIDs, id)
	return schema.Reading{}, false
}

func lookupOf(a schema.Ask) lookup {
	return lookup{a.Kind.Name, a.Owner, a.ID, strings.ToLower(a.Key), a.Keep != nil}
}

// list returns the collection, or asks for it and returns nil.
func (w *world) list(k *schema.Kind, coll schema.Collection) *collection {
	if c := w.colls[coll]; c != nil {
		return c
	}
	if w.wanted[coll] {
		return nil
	}
	w.wanted[coll] = true
	w.queries = append(w.queries, schema.Query{Collection: coll, Kind: k, Keep: w.keep[k.Name]})
	return nil
}

func (w *world) conflict(n, other *node, detail string) {
	w.diags = append(w.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  "Two resources for one object",
		Detail:   fmt.Sprintf("%s %s and %s (%s) cannot both manage it; remove one of them.", detail, n.want.Addr, other.want.Addr, other.want.Block.Decl),
		Subject:  n.want.Block.Decl.Ptr(),
	})
	n.block("two resources declare the same object", other.want.Addr)
}
