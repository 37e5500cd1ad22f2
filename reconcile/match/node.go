package match

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Status says how far something declared has been placed in the world.
type Status uint8

// The states of something declared.
const (
	Pending Status = iota // its owner, its collection or its key is not known yet
	Matched               // its live object is known
	Missing               // it does not exist: to be created
	Blocked               // it cannot be planned, for the reason given
	Skipped               // left alone, with a note: an archived project and what is in it
)

// Seeker is something declared that has to find the owner that it names: a
// resource, a data source, an exclusive block.
type Seeker struct {
	want      config.Desired
	status    Status
	why       string
	by        []addr.Instance
	blamed    string // the attribute that is to blame, "" for none
	published bool   // expressions know that it is blocked
	owner     *schema.Ref
	coll      schema.Collection
}

// Kind returns the kind that is declared.
func (s *Seeker) Kind() *schema.Kind { return s.want.Object.Kind }

// Addr returns the address of the declaration.
func (s *Seeker) Addr() addr.Instance { return s.want.Addr }

// Desired returns what the configuration says, its references resolved as far
// as they are known. Callers do not change it.
func (s *Seeker) Desired() *config.Desired { return &s.want }

// Status returns how far the declaration is placed.
func (s *Seeker) Status() Status { return s.status }

// Reason returns why it is blocked or skipped, and because of which others.
func (s *Seeker) Reason() (why string, by []addr.Instance) { return s.why, s.by }

// Owner returns the owner, nil while it is not placed and for what has none.
func (s *Seeker) Owner() *schema.Ref { return s.owner }

// Collection returns the collection it is in, zero until the owner has an id.
func (s *Seeker) Collection() schema.Collection { return s.coll }

// Position returns where the source is to blame, zero for what has no block.
func (s *Seeker) Position() hcl.Range {
	if s.want.Block == nil {
		return hcl.Range{}
	}
	return s.want.Range(s.blamed)
}

// Block records that it cannot be planned, why, and because of which others.
func (s *Seeker) Block(why string, by ...addr.Instance) {
	s.status, s.why, s.by = Blocked, why, by
}

// Blame blocks for what an attribute says.
func (s *Seeker) Blame(a *schema.Attr, why string, by ...addr.Instance) {
	s.Block(why, by...)
	s.blamed = a.Name
}

// Node is one declared object on its way to a change. Nodes live through all
// waves; what the configuration says of them is refreshed by each.
type Node struct {
	Seeker
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
	outside    bool          // no part of the plan, and placed all the same
}

// Live returns the live object, zero until it is matched.
func (n *Node) Live() schema.Object { return n.live }

// Entry returns what the ledger knows of the object, nil for something
// new to hew, and the address it has there where that is another one.
func (n *Node) Entry() (e *ledger.Entry, from addr.Instance) { return n.entry, n.from }

// Gone reports whether the ledger knows the object and the host does not.
func (n *Node) Gone() bool { return n.gone }

// Keyless reports whether the object's key is known only at apply.
func (n *Node) Keyless() bool { return n.keyless }

// LostOwner returns the owner that the ledger knows and that answers 404, ""
// for none.
func (n *Node) LostOwner() string { return n.lost }

// Note returns what people are told of the match, "" for nothing.
func (n *Node) Note() string { return n.note }

// Ref returns the reference to the object that all others share.
func (n *Node) Ref() *schema.Ref { return n.ref }

// ReplaceReason returns why the object is made anew although no attribute asks
// for it, "" where it is not.
func (n *Node) ReplaceReason() string { return n.replace }

// Renewed reports whether the object is made anew, so that nothing of the
// live one stays.
func (n *Node) Renewed() bool { return n.renewed }

// Superseded returns the address of the live object that goes once the new
// one is made, zero for most.
func (n *Node) Superseded() addr.Instance { return n.superseded }

// Outside reports whether the node is no part of the plan, and placed only
// so that its object is recognized.
func (n *Node) Outside() bool { return n.outside }

// Detailed reports whether the live object was read by itself.
func (n *Node) Detailed() bool { return n.detailed }

// declare records what the configuration says now. References are resolved in
// a copy, for expressions see the other.
func (n *Node) declare(d *config.Desired) {
	n.want = *d
	n.want.Object.Value = d.Object.Value.Clone()
}

// RequireReplacement has the object made anew although no attribute asks for it.
func (n *Node) RequireReplacement(why string) { n.replace = why }

// Renew records that the object is made anew: its id is unknown from now on.
func (n *Node) Renew() { n.renewed = true }

// AwaitKey records that the object is created unless it is found under the key
// that only the apply will know.
func (n *Node) AwaitKey() { n.status, n.keyless = Missing, true }

// entryID returns the id that the ledger has for the object, or "".
func (n *Node) entryID() string {
	if n.entry == nil {
		return ""
	}
	return n.entry.ID
}

// Path returns the planned full path of a thing that has one, "" while its
// owner's is unknown.
func (n *Node) Path() string { return n.ref.Path }

// FillPath gives a thing with a path its planned one, for ordering and for
// people.
func (n *Node) FillPath() {
	if t := n.Kind().Tree; t != nil && n.Path() != "" {
		n.want.Object.Value.Set(n.Kind().Attr(t.Full), cty.StringVal(n.Path()))
	}
}

// CreatesBeforeDestroy reports whether the block says that a new object comes
// before the old one goes.
func (n *Node) CreatesBeforeDestroy() bool {
	return n.want.Block != nil && n.want.Block.Lifecycle.CreateBeforeDestroy
}

// WasSent reports whether the ledger knows that the attribute was applied.
func (n *Node) WasSent(a *schema.Attr) bool {
	return n.entry != nil && n.entry.Owned[a.Name] != ""
}
