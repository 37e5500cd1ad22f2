package match

import (
	"iter"
	"maps"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
)

// Departures are what the ledger has beyond the nodes.
type Departures struct {
	orphans   map[addr.Instance]*Orphan
	leaves    map[Identity]bool // what this plan deletes
	movedFrom map[addr.Instance]addr.Instance
	rewrites  []ledger.Delta // what moved blocks and deposed objects do to the ledger
}

// Orphan returns what becomes of a ledger entry that nobody declares, nil for
// any other.
func (d *Departures) Orphan(at addr.Instance) *Orphan { return d.orphans[at] }

// Orphans yields the ledger entries that nobody declares, in no order.
func (d *Departures) Orphans() iter.Seq2[addr.Instance, *Orphan] { return maps.All(d.orphans) }

// IsLeaving reports whether this plan deletes a live object that nobody declares.
func (d *Departures) IsLeaving(id Identity) bool { return d.leaves[id] }

// Rewrites returns what is to be written to the ledger before an apply
// sends anything.
func (d *Departures) Rewrites() []ledger.Delta { return d.rewrites }

// DeletedTrees returns the things with a path that this plan deletes, each with
// its address in the ledger: the host deletes what is in them.
func (d *Departures) DeletedTrees() map[Thing]addr.Instance {
	trees := map[Thing]addr.Instance{}
	for at, o := range d.orphans {
		if o.fate == Remove && o.kind.Tree != nil {
			trees[ByID(o.kind.Name, o.entry.ID)] = at
		}
	}
	return trees
}
