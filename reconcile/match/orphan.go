package match

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// OrphanAction is what the plan does with an orphan.
type OrphanAction uint8

// The actions on orphans.
const (
	Undecided  OrphanAction = iota // its live object is not read yet, or its block is blocked
	Remove                         // delete it on the host
	Reset                          // keep it on the host, with default values
	Release                        // keep it on the host, remove it from the ledger
	Gone                           // it is already gone: remove it from the ledger
	Redeclared                     // declared under another address
)

// Orphan is a ledger entry that no block declares.
type Orphan struct {
	entry   ledger.Entry
	kind    *schema.Kind // nil if unknown to this version of hew
	coll    schema.Collection
	action  OrphanAction
	why     string
	live    schema.Object
	removal *config.Removal
	err     string // why it could not be read
}

// Entry returns the ledger entry. Callers must not modify it.
func (o *Orphan) Entry() *ledger.Entry { return &o.entry }

// Kind returns the kind, or nil if it is unknown to this version of hew.
func (o *Orphan) Kind() *schema.Kind { return o.kind }

// Collection returns the collection recorded in the ledger.
func (o *Orphan) Collection() schema.Collection { return o.coll }

// Decision returns the action and its reason. The reason is "" where the action alone explains it.
func (o *Orphan) Decision() (f OrphanAction, why string) { return o.action, o.why }

// Live returns the live object, zero if the plan does not change it.
func (o *Orphan) Live() schema.Object { return o.live }

// Removal returns the removed block that names the orphan, or nil.
func (o *Orphan) Removal() *config.Removal { return o.removal }

// Failure returns why the action could not be decided, or "".
func (o *Orphan) Failure() string { return o.err }

// Postpone marks the action as undecided, for the given reason.
func (o *Orphan) Postpone(err string) { o.action, o.err = Undecided, err }

// decideOrphans decides the action for each ledger entry that no block declares.
func (w *World) decideOrphans() {
	w.deletes = map[Identity]bool{}
	for a, e := range w.Ledger.Entries {
		// An element that is left behind is not in the scope because of its address: its collection
		// may belong to a set that the plan leaves out.
		beyond := w.scope != nil && w.isLeftBehind(a, e) && !slices.Contains(w.scope.target, a)
		if w.nodes[a] != nil || !w.scope.includesEntry(a) || beyond {
			delete(w.orphans, a) // it was an orphan while the keys of its block were unknown
			continue
		}
		o := w.orphans[a]
		if o == nil {
			o = &Orphan{entry: e, kind: w.Kinds.Resource(e.Kind), coll: collectionOf(e.Collection)}
			w.orphans[a] = o
		}
		w.decideOrphan(a, o)
		if o.action == Remove {
			// The live id, because the entry may have the id of an invitation.
			w.deletes[IdentityOf(o.kind, o.coll, o.live.ID)] = true
		}
	}
}

// collectionOf returns the collection that the ledger has for an entry.
func collectionOf(text string) schema.Collection {
	path, query, _ := strings.Cut(text, "?")
	return schema.Collection{Path: path, Query: query}
}

func (w *World) decideOrphan(a addr.Instance, o *Orphan) {
	o.action, o.why, o.err = Undecided, "", ""
	if o.kind == nil || w.InBlocked(a) {
		return
	}
	if w.claimed[IdentityOf(o.kind, o.coll, o.entry.ID)] != nil {
		o.action = Redeclared
		return
	}
	if n := w.nodes[a.Declared()]; a.Deposed() && n != nil && n.status == Blocked {
		o.err = "its replacement " + n.want.Addr.String() + " cannot be planned"
		return
	}
	o.removal = w.removalOf(a)
	switch {
	case o.removal != nil && !o.removal.Destroy:
		o.action, o.why = Release, "a removed block keeps it on the host"
		return
	case w.destroy && w.isElement(a) && !o.entry.Created:
		o.action, o.why = Release, "existed before hew managed it"
		return
	case !w.destroy && w.isElement(a) && o.removal == nil && w.Block(a.Block) == nil:
		o.action, o.why = Release, "block removed; members stay unless a removed block sets destroy = true"
		return
	case o.entry.ID == "":
		w.searchIntent(o)
		return
	}
	w.readOrphan(o)
}

// searchIntent searches by key for an object that an interrupted run began to create, because the
// ledger has no id for it. Somebody else may have created an object with that key, so hew never
// deletes it.
func (w *World) searchIntent(o *Orphan) {
	var there bool
	if o.kind.Tree != nil {
		r, ok := w.Lookup(schema.Ask{Kind: o.kind, Key: o.entry.Key})
		if !ok {
			return
		}
		there = r.State != schema.Absent
	} else {
		c := w.List(o.kind, o.coll)
		if c == nil {
			return
		}
		there = slices.ContainsFunc(c.objs, func(live schema.Object) bool {
			return o.kind.Holds == schema.OneOrNone || strings.EqualFold(KeyTitle(live), o.entry.Key)
		})
	}
	if there {
		o.err = fmt.Sprintf("an interrupted run may have created %s %s; declare it again to adopt it, or remove it "+
			"from the ledger with hew ledger rm", o.kind.Name, o.entry.Key)
		return
	}
	o.action, o.why = Gone, "was never created"
}

// readOrphan checks whether the orphan's live object still exists.
func (w *World) readOrphan(o *Orphan) {
	if o.coll.Path != o.kind.Root || o.kind.Root == "" {
		c := w.List(o.kind, o.coll)
		if c == nil {
			return
		}
		if live, ok := c.Find(o.entry.ID); ok {
			o.decideFound(live)
			return
		}
		if o.kind.Tree == nil {
			switch c.state {
			case schema.Present:
				switch live, there, known := w.findAccepted(o, c); {
				case there:
					o.decideFound(live)
				case known:
					o.action, o.why = Gone, alreadyGone
				}
			case schema.OwnerAbsent:
				o.action, o.why = Gone, alreadyGone
			default:
				o.err = c.Unreadable(nil)
			}
			return
		}
	}
	r, ok := w.Lookup(schema.Ask{Kind: o.kind, ID: o.entry.ID})
	if !ok {
		return
	}
	live, why := ObjectOf(o.kind, &schema.Ref{ID: o.entry.ID}, r)
	switch {
	case r.State == schema.Absent:
		o.action, o.why = Gone, alreadyGone
	case why != "":
		o.err = why
	default:
		o.decideFound(live)
	}
}

const alreadyGone = "already gone from the host"

// decideFound decides to delete a live object, unless it is already marked for deletion. An object
// that exists once per owner and that hew did not create is reset: only the attributes that hew set
// go back to their defaults.
func (o *Orphan) decideFound(live schema.Object) {
	if live.State == schema.PendingDeletion {
		o.action, o.why = Gone, "already marked for deletion"
		return
	}
	o.action, o.live = Remove, live
	if h := o.kind.Holds; h == schema.One || h == schema.OneOrNone && !o.entry.Created && o.removal == nil {
		o.action = Reset
	}
}

// isElement reports whether the address is an element of a set kind.
func (w *World) isElement(a addr.Instance) bool {
	k := w.Kinds.Resource(a.Kind)
	return k != nil && k.Set != nil
}

// InBlocked reports whether the address is in a blocked block or module call. Nothing there is
// planned for deletion, because it may still be declared.
func (w *World) InBlocked(a addr.Instance) bool {
	holds := func(b addr.Instance) bool { return b.Contains(a) }
	return slices.ContainsFunc(w.blockedIn[a.Block], holds) || slices.ContainsFunc(w.blockedCalls, holds)
}

// removalOf returns the removed block that covers the address, or nil.
func (w *World) removalOf(a addr.Instance) *config.Removal {
	for i := range w.res.Removals {
		if w.res.Removals[i].From.Contains(a) {
			return &w.res.Removals[i]
		}
	}
	return nil
}
