package reconcile

import (
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// fate is what becomes of something that the ledger has and nobody declares.
type fate uint8

const (
	unsure  fate = iota // its live object is not read yet, or its block is blocked
	remove              // deleted on the host
	release             // left on the host, forgotten by hew
	vanish              // already gone
	moved               // declared under another address
)

// orphan is a ledger entry without a declared object.
type orphan struct {
	entry   ledger.Entry
	kind    *schema.Kind
	coll    schema.Collection
	fate    fate
	why     string
	live    schema.Object
	removal *config.Removal
	err     string // why it could not be read
}

// bereave decides the fate of every ledger entry that nobody declares.
func (w *world) bereave() {
	w.leaves = map[identity]bool{}
	for a, e := range w.led.Entries {
		if w.nodes[a] != nil {
			continue
		}
		o := w.orphan[a]
		if o == nil {
			path, query, _ := strings.Cut(e.Collection, "?")
			o = &orphan{entry: e, kind: w.kinds.Resources[e.Kind], coll: schema.Collection{Path: path, Query: query}}
			w.orphan[a] = o
		}
		w.decide(a, o)
		if o.fate == remove {
			w.leaves[identityOf(o.kind, o.coll, o.entry.ID)] = true
		}
	}
}

func (w *world) decide(a addr.Instance, o *orphan) {
	o.fate, o.why, o.err = unsure, "", ""
	if o.kind == nil || w.pending(a) {
		return
	}
	if w.claims[identityOf(o.kind, o.coll, o.entry.ID)] != nil {
		o.fate = moved
		return
	}
	o.removal = w.removal(a)
	switch {
	case o.removal != nil && !o.removal.Destroy:
		o.fate, o.why = release, "removed without destroying it"
		return
	case w.destroy && a.Elem != "" && !o.entry.Created:
		o.fate, o.why = release, "was a member before hew managed it"
		return
	case !w.destroy && a.Elem != "" && o.removal == nil && !w.declares(a.Block):
		o.fate, o.why = release, "its block is gone; members stay until a removed block says destroy = true"
		return
	case o.entry.ID == "":
		o.fate, o.why = vanish, "was never created"
		return
	}
	w.visit(o)
}

// visit looks whether the orphan's object is still there.
func (w *world) visit(o *orphan) {
	if o.coll.Path != o.kind.Root || o.kind.Root == "" {
		c := w.list(o.kind, o.coll)
		if c == nil {
			return
		}
		if live, ok := c.find(o.entry.ID); ok {
			o.found(live)
			return
		}
		if o.kind.Tree == nil {
			switch c.state {
			case schema.Present, schema.OwnerAbsent:
				o.fate, o.why = vanish, alreadyGone
			default:
				o.err = unreadable(o.kind, nil, c.state, c.err)
			}
			return
		}
	}
	r, ok := w.look(schema.Ask{Kind: o.kind, ID: o.entry.ID})
	switch {
	case !ok:
	case r.State == schema.Absent:
		o.fate, o.why = vanish, alreadyGone
	case len(r.Objects) > 0:
		o.found(r.Objects[0])
	default:
		o.err = unreadable(o.kind, &schema.Ref{ID: o.entry.ID}, r.State, r.Err)
	}
}

const alreadyGone = "already gone from the host"

// found: the live object is there, to be deleted unless that has begun.
func (o *orphan) found(live schema.Object) {
	if live.State == schema.PendingDeletion {
		o.fate, o.why = vanish, "already marked for deletion"
		return
	}
	o.fate, o.live = remove, live
}

// pending tells whether the entry's block is blocked: nothing under it is ever
// planned for deletion, for it may only be out of sight.
func (w *world) pending(a addr.Instance) bool {
	for i := range w.res.Blocked {
		b := &w.res.Blocked[i].Addr
		if b.Block == a.Block && (b.Key == "" || b.Key == a.Key) && (b.Elem == "" || b.Elem == a.Elem) {
			return true
		}
	}
	return false
}

// removal is the removed block that speaks of the address, or nil.
func (w *world) removal(a addr.Instance) *config.Removal {
	for i := range w.res.Removals {
		if covers(w.res.Removals[i].From, a) {
			return &w.res.Removals[i]
		}
	}
	return nil
}

// claim reads the collection that an exclusive block claims.
func (w *world) claim(x *config.Exclusive) {
	n := w.claimant[x.Addr]
	if n == nil {
		n = &node{ref: &schema.Ref{}}
		w.claimant[x.Addr] = n
	}
	n.want = x.Owner
	n.want.Block = x.Block
	if !w.resolve(n) || n.settled() || !w.findOwner(n, x.Kind.Owner(), 0) || n.owner.ID == "" {
		return
	}
	n.coll = x.Kind.In(n.owner.ID)
	if c := w.list(x.Kind, n.coll); c != nil && c.state != schema.Present {
		n.block(unreadable(x.Kind, n.owner, c.state, c.err))
	}
}
