package reconcile

import (
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// status says how far something declared has been placed in the world.
type status uint8

const (
	pending status = iota // its owner, its collection or its key is not known yet
	matched               // node.live is it
	missing               // it does not exist: to be created
	blocked               // why says why it cannot be planned
	skipped               // left alone, with a note: an archived project and what is in it
)

// seeker is something declared that has to find the owner it speaks of: a
// resource, a data source, an exclusive block.
type seeker struct {
	want   config.Desired
	status status
	why    string
	by     []addr.Instance
	at     string      // the attribute that is to blame, "" for none
	told   bool        // that it is blocked
	owner  *schema.Ref // nil for what has no owner
	coll   schema.Collection
}

func (s *seeker) kind() *schema.Kind { return s.want.Object.Kind }

func (s *seeker) block(why string, by ...addr.Instance) {
	s.status, s.why, s.by = blocked, why, by
}

// blame blocks for what an attribute says.
func (s *seeker) blame(a *schema.Attr, why string, by ...addr.Instance) {
	s.block(why, by...)
	s.at = a.Name
}

// node is one declared object on its way to a change. Nodes live through all
// waves; what the configuration says of them is refreshed by each.
type node struct {
	seeker
	ref  *schema.Ref // the reference to this object that all others share
	live schema.Object

	entry   *ledger.Entry
	from    addr.Instance // the address of entry where it is not the node's own
	gone    bool          // the ledger knows it, the host does not
	keyless bool          // its key is known only at apply
	lost    string        // the owner that the ledger knows and that answers 404
	note    string

	imports    *config.Import
	detailed   bool          // live was read by itself, with what lists leave out
	replace    string        // why it is made anew although it need not be
	renewed    bool          // it is made anew: of the live object nothing will stay
	superseded addr.Instance // where the object is now that it is made anew before; zero for most
	witness    bool          // no part of the plan, and placed all the same
}

// take is what the configuration says now. References are folded into a copy,
// for expressions see the other.
func (n *node) take(d *config.Desired) {
	n.want = *d
	n.want.Object.Value = d.Object.Value.Clone()
}

// entryID is the id that the ledger has for the object, or "".
func (n *node) entryID() string {
	if n.entry == nil {
		return ""
	}
	return n.entry.ID
}

// path is the planned full path of a thing that has one, "" while its owner's
// is unknown.
func (n *node) path() string { return n.ref.Path }

// identity names one live object whatever its address: the id within its
// collection, or within its kind where ids are the host's (groups, projects).
type identity struct{ where, id string }

func identityOf(k *schema.Kind, coll schema.Collection, id string) identity {
	if k.Tree != nil {
		return identity{k.Name, id}
	}
	return identity{coll.Path, id}
}
