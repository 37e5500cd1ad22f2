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

// Fate is what becomes of something that the ledger has and nobody declares.
type Fate uint8

// The fates.
const (
	Undecided  Fate = iota // its live object is not read yet, or its block is blocked
	Remove                 // deleted on the host
	Reset                  // given back to its defaults on the host
	Release                // left on the host, forgotten by hew
	Vanished               // already gone
	Redeclared             // declared under another address
)

// Orphan is a ledger entry without a declared object.
type Orphan struct {
	entry   ledger.Entry
	kind    *schema.Kind // nil for one that this hew does not know
	coll    schema.Collection
	fate    Fate
	why     string
	live    schema.Object
	removal *config.Removal
	err     string // why it could not be read
}

// Entry returns what the ledger knows of it. Callers do not change it.
func (o *Orphan) Entry() *ledger.Entry { return &o.entry }

// Kind returns its kind, nil for one that this hew does not know.
func (o *Orphan) Kind() *schema.Kind { return o.kind }

// Collection returns the collection that it is in by the ledger.
func (o *Orphan) Collection() schema.Collection { return o.coll }

// Decision returns its fate, and why in words, "" where the fate alone tells.
func (o *Orphan) Decision() (f Fate, why string) { return o.fate, o.why }

// Live returns the live object, zero for one that is not to be changed.
func (o *Orphan) Live() schema.Object { return o.live }

// Removal returns the removed block that names it, nil for none.
func (o *Orphan) Removal() *config.Removal { return o.removal }

// Failure returns why nothing could be decided, "" while nothing is known.
func (o *Orphan) Failure() string { return o.err }

// Postpone leaves it undecided, and says why.
func (o *Orphan) Postpone(err string) { o.fate, o.err = Undecided, err }

// decideOrphans decides the fate of every ledger entry that nobody declares.
func (w *World) decideOrphans() {
	w.leaves = map[Identity]bool{}
	for a, e := range w.Ledger.Entries {
		if w.nodes[a] != nil || !w.scope.includesEntry(a) {
			delete(w.orphans, a) // it may have been one while the keys of its block were not known
			continue
		}
		o := w.orphans[a]
		if o == nil {
			path, query, _ := strings.Cut(e.Collection, "?")
			o = &Orphan{entry: e, kind: w.Kinds.Resource(e.Kind), coll: schema.Collection{Path: path, Query: query}}
			w.orphans[a] = o
		}
		w.decideFate(a, o)
		if o.fate == Remove {
			w.leaves[IdentityOf(o.kind, o.coll, o.live.ID)] = true // its own id, not that of the invitation it was
		}
	}
}

func (w *World) decideFate(a addr.Instance, o *Orphan) {
	o.fate, o.why, o.err = Undecided, "", ""
	if o.kind == nil || w.InBlocked(a) {
		return
	}
	if w.claimed[IdentityOf(o.kind, o.coll, o.entry.ID)] != nil {
		o.fate = Redeclared
		return
	}
	o.removal = w.removalOf(a)
	switch {
	case o.removal != nil && !o.removal.Destroy:
		o.fate, o.why = Release, "removed without destroying it"
		return
	case w.destroy && w.isElement(a) && !o.entry.Created:
		o.fate, o.why = Release, "was a member before hew managed it"
		return
	case !w.destroy && w.isElement(a) && o.removal == nil && w.Block(a.Block) == nil:
		o.fate, o.why = Release, "its block is gone; members stay until a removed block says destroy = true"
		return
	case o.entry.ID == "":
		w.searchIntent(o)
		return
	}
	w.readOrphan(o)
}

// searchIntent looks for what an earlier run began to create and was cut off: by its
// key, since no id came back. What has that key may as well be somebody else's,
// so nothing is deleted.
func (w *World) searchIntent(o *Orphan) {
	var there bool
	if o.kind.Tree != nil {
		r, ok := w.Look(schema.Ask{Kind: o.kind, Key: o.entry.Key})
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
		o.err = fmt.Sprintf("a run that was cut off may have created %s %s; declare it again to take it over, or "+
			"forget it with hew ledger rm", o.kind.Name, o.entry.Key)
		return
	}
	o.fate, o.why = Vanished, "was never created"
}

// readOrphan looks whether the orphan's object is still there.
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
					o.fate, o.why = Vanished, alreadyGone
				}
			case schema.OwnerAbsent:
				o.fate, o.why = Vanished, alreadyGone
			default:
				o.err = c.Unreadable(nil)
			}
			return
		}
	}
	r, ok := w.Look(schema.Ask{Kind: o.kind, ID: o.entry.ID})
	if !ok {
		return
	}
	live, why := ObjectOf(o.kind, &schema.Ref{ID: o.entry.ID}, r)
	switch {
	case r.State == schema.Absent:
		o.fate, o.why = Vanished, alreadyGone
	case why != "":
		o.err = why
	default:
		o.decideFound(live)
	}
}

const alreadyGone = "already gone from the host"

// decideFound has a live object deleted unless that has begun. Of what an owner
// has one, and hew did not make, only the attributes that hew has set are taken
// back.
func (o *Orphan) decideFound(live schema.Object) {
	if live.State == schema.PendingDeletion {
		o.fate, o.why = Vanished, "already marked for deletion"
		return
	}
	o.fate, o.live = Remove, live
	if h := o.kind.Holds; h == schema.One || h == schema.OneOrNone && !o.entry.Created && o.removal == nil {
		o.fate = Reset
	}
}

// isElement reports whether the address is one of a set kind's.
func (w *World) isElement(a addr.Instance) bool {
	k := w.Kinds.Resource(a.Kind)
	return k != nil && k.Set != nil
}

// InBlocked reports whether the entry's block is blocked, or a call of the module
// that it is in: nothing under it is ever planned for deletion, for it may only
// be out of sight.
func (w *World) InBlocked(a addr.Instance) bool {
	holds := func(b addr.Instance) bool { return b.Contains(a) }
	return slices.ContainsFunc(w.blockedIn[a.Block], holds) || slices.ContainsFunc(w.blockedCalls, holds)
}

// removalOf returns the removed block that speaks of the address, or nil.
func (w *World) removalOf(a addr.Instance) *config.Removal {
	for i := range w.res.Removals {
		if w.res.Removals[i].From.Contains(a) {
			return &w.res.Removals[i]
		}
	}
	return nil
}
