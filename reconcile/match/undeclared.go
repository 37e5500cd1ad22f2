package match

import (
	"iter"
	"maps"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
)

// Undeclared holds what the ledger has and no block declares, and the ledger changes of this plan.
type Undeclared struct {
	orphans    map[addr.Instance]*Orphan
	deletes    map[Identity]bool               // live objects that this plan deletes as orphans
	movedFrom  map[addr.Instance]addr.Instance // the first address of each entry that has another
	renumbered map[addr.Instance]addr.Instance // the same of exchanged entries, until RenumberDependencies
	rewrites   []ledger.Delta                  // of moved blocks, exchanged entries and deposed objects
}

// Orphan returns the orphan at an address, or nil.
func (d *Undeclared) Orphan(at addr.Instance) *Orphan { return d.orphans[at] }

// Orphans yields all orphans in no particular order.
func (d *Undeclared) Orphans() iter.Seq2[addr.Instance, *Orphan] { return maps.All(d.orphans) }

// WillDelete reports whether this plan deletes a live object as an orphan.
func (d *Undeclared) WillDelete(id Identity) bool { return d.deletes[id] }

// Rewrites returns the ledger changes to write before an apply sends any request.
func (d *Undeclared) Rewrites() []ledger.Delta { return d.rewrites }

// DeletedTrees returns the orphaned groups and projects that this plan deletes, each with its
// ledger address. The host deletes everything in them.
func (d *Undeclared) DeletedTrees() map[RefKey]addr.Instance {
	trees := map[RefKey]addr.Instance{}
	for at, o := range d.orphans {
		if o.action == Remove && o.kind.Tree != nil {
			trees[ByID(o.kind.Name, o.entry.ID)] = at
		}
	}
	return trees
}
