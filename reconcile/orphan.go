package reconcile

import (
	"fmt"
	"slices"
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
	reset               // given back to its defaults on the host
	release             // left on the host, forgotten by hew
	vanish              // already gone
	taken               // declared under another address
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

// decideOrphans decides the fate of every ledger entry that nobody declares.
func (w *world) decideOrphans() {
	w.leaves = map[identity]bool{}
	for a, e := range w.led.Entries {
		if w.nodes[a] != nil || !w.narrowing.had(a) {
			delete(w.orphans, a) // it may have been one while the keys of its block were not known
			continue
		}
		o := w.orphans[a]
		if o == nil {
			path, query, _ := strings.Cut(e.Collection, "?")
			o = &orphan{entry: e, kind: w.kinds.Resource(e.Kind), coll: schema.Collection{Path: path, Query: query}}
			w.orphans[a] = o
		}
		w.decide(a, o)
		if o.fate == remove {
			w.leaves[identityOf(o.kind, o.coll, o.live.ID)] = true // its own id, not that of the invitation it was
		}
	}
}

func (w *world) decide(a addr.Instance, o *orphan) {
	o.fate, o.why, o.err = unsure, "", ""
	if o.kind == nil || w.hidden(a) {
		return
	}
	if w.claims[identityOf(o.kind, o.coll, o.entry.ID)] != nil {
		o.fate = taken
		return
	}
	o.removal = w.removal(a)
	switch {
	case o.removal != nil && !o.removal.Destroy:
		o.fate, o.why = release, "removed without destroying it"
		return
	case w.destroy && w.element(a) && !o.entry.Created:
		o.fate, o.why = release, "was a member before hew managed it"
		return
	case !w.destroy && w.element(a) && o.removal == nil && w.block(a.Block) == nil:
		o.fate, o.why = release, "its block is gone; members stay until a removed block says destroy = true"
		return
	case o.entry.ID == "":
		w.search(o)
		return
	}
	w.visit(o)
}

// search looks for what an earlier run began to create and was cut off: by its
// key, since no id came back. What has that key may as well be somebody else's,
// so nothing is deleted.
func (w *world) search(o *orphan) {
	var there bool
	if o.kind.Tree != nil {
		r, ok := w.look(schema.Ask{Kind: o.kind, Key: o.entry.Key})
		if !ok {
			return
		}
		there = r.State != schema.Absent
	} else {
		c := w.list(o.kind, o.coll)
		if c == nil {
			return
		}
		there = slices.ContainsFunc(c.objs, func(live schema.Object) bool {
			return o.kind.Holds == schema.OneOrNone || strings.EqualFold(keyTitle(live), o.entry.Key)
		})
	}
	if there {
		o.err = fmt.Sprintf("a run that was cut off may have created %s %s; declare it again to take it over, or forget it with hew ledger rm", o.kind.Name, o.entry.Key)
		return
	}
	o.fate, o.why = vanish, "was never created"
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
			case schema.Present:
				switch live, there, known := w.accepted(o, c); {
				case there:
					o.found(live)
				case known:
					o.fate, o.why = vanish, alreadyGone
				}
			case schema.OwnerAbsent:
				o.fate, o.why = vanish, alreadyGone
			default:
				o.err = unreadable(o.kind, nil, c.state, c.err)
			}
			return
		}
	}
	r, ok := w.look(schema.Ask{Kind: o.kind, ID: o.entry.ID})
	if !ok {
		return
	}
	live, why := there(o.kind, &schema.Ref{ID: o.entry.ID}, r)
	switch {
	case r.State == schema.Absent:
		o.fate, o.why = vanish, alreadyGone
	case why != "":
		o.err = why
	default:
		o.found(live)
	}
}

const alreadyGone = "already gone from the host"

// found: the live object is there, to be deleted unless that has begun. Of what
// an owner has one, and hew did not make, only the attributes that hew has set
// are taken back.
func (o *orphan) found(live schema.Object) {
	if live.State == schema.PendingDeletion {
		o.fate, o.why = vanish, "already marked for deletion"
		return
	}
	o.fate, o.live = remove, live
	if h := o.kind.Holds; h == schema.One || h == schema.OneOrNone && !o.entry.Created && o.removal == nil {
		o.fate = reset
	}
}

// element tells whether the address is one of a set kind's.
func (w *world) element(a addr.Instance) bool {
	k := w.kinds.Resource(a.Kind)
	return k != nil && k.Set != nil
}

// hidden tells whether the entry's block is blocked, or a call of the module
// that it is in: nothing under it is ever planned for deletion, for it may only
// be out of sight.
func (w *world) hidden(a addr.Instance) bool {
	holds := func(b addr.Instance) bool { return b.Contains(a) }
	return slices.ContainsFunc(w.blockedIn[a.Block], holds) || slices.ContainsFunc(w.blockedCalls, holds)
}

// removal is the removed block that speaks of the address, or nil.
func (w *world) removal(a addr.Instance) *config.Removal {
	for i := range w.res.Removals {
		if w.res.Removals[i].From.Contains(a) {
			return &w.res.Removals[i]
		}
	}
	return nil
}
