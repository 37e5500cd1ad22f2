package plan

import (
	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// Origin is where a change comes from: a FromBlock, a FromLedger or a FromClaim.
type Origin interface{ origin() }

// FromBlock is the origin of a declared object's change.
type FromBlock struct {
	Desired *config.Desired // nil only in a plan read from a file
	// CreatorMembership marks the membership of the token's own user in an object that this run
	// creates. The host may create it along with the object.
	CreatorMembership bool
}

// FromLedger is the origin of an orphan's change.
type FromLedger struct {
	InBlock      bool // its block exists, without this key or element
	RemovedBlock bool // a removed block with destroy = true names it
	// Within is the owner that is deleted along with the object, or zero.
	Within addr.Instance
	// Successor is the object that replaces this deposed one, or zero.
	Successor addr.Instance
}

// FromClaim is the origin of a stray's deletion.
type FromClaim struct {
	// CreatorMembership marks the membership of the token's own user in an object that this run
	// creates. The host creates it, and the run deletes it at the end.
	CreatorMembership bool
}

func (FromBlock) origin()  {}
func (FromLedger) origin() {}
func (FromClaim) origin()  {}

// Desired returns the declared object, or nil.
func (c *Change) Desired() *config.Desired {
	from, _ := c.Origin.(FromBlock)
	return from.Desired
}

// Stray reports whether the object is a stray.
func (c *Change) Stray() bool {
	_, ok := c.Origin.(FromClaim)
	return ok
}

// CreatorMembership reports whether the change is about the membership of the token's own user that
// the host creates along with an object in the same run.
func (c *Change) CreatorMembership() bool {
	switch from := c.Origin.(type) {
	case FromBlock:
		return from.CreatorMembership
	case FromClaim:
		return from.CreatorMembership
	}
	return false
}

// fromLedger returns the origin if it is the ledger, else the zero value.
func (c *Change) fromLedger() FromLedger {
	from, _ := c.Origin.(FromLedger)
	return from
}

// Within returns the owner that is deleted along with the object, or zero.
func (c *Change) Within() addr.Instance { return c.fromLedger().Within }

// Successor returns the object that replaces this deposed one, or zero.
func (c *Change) Successor() addr.Instance { return c.fromLedger().Successor }
