package match

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// Status is how far a declaration has been matched.
type Status uint8

// The states of a declaration.
const (
	Pending Status = iota // its owner, collection or key is not known yet
	Matched               // its live object is known
	Missing               // it does not exist and will be created
	Blocked               // it cannot be planned; see Declaration.Reason
	Skipped               // left unchanged with a note: archived, or in an archived owner
)

// Declaration is a resource, data source or exclusive block, with what is known of its owner and
// collection.
type Declaration struct {
	want      config.Desired
	status    Status
	why       string
	by        []addr.Instance
	blamed    string // the attribute that causes the block, or ""
	published bool   // expressions have been evaluated with it as blocked
	owner     *schema.Ref
	coll      schema.Collection
}

// Kind returns the kind of the declaration.
func (d *Declaration) Kind() *schema.Kind { return d.want.Object.Kind }

// Addr returns the address of the declaration.
func (d *Declaration) Addr() addr.Instance { return d.want.Addr }

// Desired returns the declared object, with its references resolved as far as they are known.
// Callers must not modify it.
func (d *Declaration) Desired() *config.Desired { return &d.want }

// Status returns how far the declaration has been matched.
func (d *Declaration) Status() Status { return d.status }

// Reason returns why the declaration is blocked or skipped, and the addresses that cause it.
func (d *Declaration) Reason() (why string, by []addr.Instance) { return d.why, d.by }

// Owner returns the owner, or nil if it has none or it is not resolved yet.
func (d *Declaration) Owner() *schema.Ref { return d.owner }

// Collection returns the declaration's collection, zero until the owner has an id.
func (d *Declaration) Collection() schema.Collection { return d.coll }

// Position returns the source range to report errors at, zero for a declaration without a block.
func (d *Declaration) Position() hcl.Range {
	if d.want.Block == nil {
		return hcl.Range{}
	}
	return d.want.Range(d.blamed)
}

// Block marks the declaration as blocked for a reason, by other addresses if any.
func (d *Declaration) Block(why string, by ...addr.Instance) {
	d.status, d.why, d.by = Blocked, why, by
}

// BlockAttribute blocks the declaration and reports the error at an attribute.
func (d *Declaration) BlockAttribute(a *schema.Attr, why string, by ...addr.Instance) {
	d.Block(why, by...)
	d.blamed = a.Name
}

// Node is one declared object. Nodes persist through all waves; each evaluation updates what they
// declare.
type Node struct {
	Declaration
	ref  *schema.Ref // the reference to this object that all others share
	live schema.Object

	entry         *ledger.Entry
	from          addr.Instance     // the address of entry, if not the node's own
	gone          bool              // it is in the ledger but not on the host
	meant         map[string]string // of an entry that was deposed; see ledger.Entry
	renamed       []plan.Renamed
	keyUnknown    bool   // its key is known after apply
	ownerNotFound string // the owner, if the ledger has it and the host answers 404
	note          string

	group         addr.Block // of peers; see peerGroup
	located       bool       // its collection is known, or its owner does not exist
	readdressed   bool       // its ledger entry is decided; see readdress
	imports       *config.Import
	detailed      bool                           // live was read by itself, so it has what lists omit
	replaceReason string                         // why it is replaced although no attribute requires it
	replaced      bool                           // the plan replaces the live object
	superseded    addr.Instance                  // address of the deposed object with create_before_destroy
	excluded      bool                           // outside the plan's scope, but matched
	omitted       map[*schema.Attr][]*schema.Ref // see Omit
}

// Live returns the live object, zero until it is matched.
func (n *Node) Live() schema.Object { return n.live }

// Entry returns the ledger entry of the object, or nil, and the entry's address if it is not the
// node's own.
func (n *Node) Entry() (e *ledger.Entry, from addr.Instance) { return n.entry, n.from }

// Gone reports whether the object is in the ledger but not on the host.
func (n *Node) Gone() bool { return n.gone }

// KeyUnknown reports whether the object's key is known only after apply.
func (n *Node) KeyUnknown() bool { return n.keyUnknown }

// OwnerNotFound returns the owner if the ledger has the object and the host answers 404 for its
// owner, else "".
func (n *Node) OwnerNotFound() string { return n.ownerNotFound }

// Note returns the note to show with the change, or "".
func (n *Node) Note() string { return n.note }

// Ref returns the reference that everything referring to the object shares.
func (n *Node) Ref() *schema.Ref { return n.ref }

// ReplaceReason returns why the object is replaced although no attribute requires it, or "".
func (n *Node) ReplaceReason() string { return n.replaceReason }

// IsReplaced reports whether the plan replaces the live object.
func (n *Node) IsReplaced() bool { return n.replaced }

// Superseded returns the address of the deposed object that is deleted after its replacement is
// created, or zero.
func (n *Node) Superseded() addr.Instance { return n.superseded }

// Excluded reports whether the node is outside the plan's scope. It is matched only so that its
// live object is not taken for a stray or orphan.
func (n *Node) Excluded() bool { return n.excluded }

// Detailed reports whether the live object was read by itself.
func (n *Node) Detailed() bool { return n.detailed }

// declare updates the declared object. References are resolved in a copy, because expressions see
// the original.
func (n *Node) declare(d *config.Desired) {
	n.want = *d
	n.want.Object.Value = d.Object.Value.Clone()
}

// RequireReplacement marks the object for replacement although no attribute requires it.
func (n *Node) RequireReplacement(why string) { n.replaceReason = why }

// MarkReplaced records that the plan replaces the object, so its id is unknown from now on. What
// refers to it changes in the same run: the host drops the old object from it.
func (n *Node) MarkReplaced() {
	n.replaced = true
	if n.Kind().Tree == nil {
		n.ref.ID = ""
	}
}

// MarkKeyUnknown records that the key is known only after apply: the apply creates the object
// unless it then exists.
func (n *Node) MarkKeyUnknown() { n.status, n.keyUnknown = Missing, true }

// entryID returns the id that the ledger has for the object, or "".
func (n *Node) entryID() string {
	if n.entry == nil {
		return ""
	}
	return n.entry.ID
}

// Path returns the planned full path of a group or project, or "" while its owner's path is
// unknown.
func (n *Node) Path() string { return n.ref.Path }

// FillPath sets the full path attribute of a group or project to the planned path.
func (n *Node) FillPath() {
	if t := n.Kind().Tree; t != nil && n.Path() != "" {
		n.want.Object.Value.Set(n.Kind().Attr(t.Full), cty.StringVal(n.Path()))
	}
}

// CreatesBeforeDestroy reports whether the block sets create_before_destroy.
func (n *Node) CreatesBeforeDestroy() bool {
	return n.want.Block != nil && n.want.Block.Lifecycle.CreateBeforeDestroy
}

// WasSent reports whether the ledger records the attribute as applied.
func (n *Node) WasSent(a *schema.Attr) bool {
	return n.entry != nil && n.entry.Owned[a.Name] != ""
}
