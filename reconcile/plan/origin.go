package plan

import (
	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// Origin says where a change comes from: a FromBlock, a FromLedger or a FromClaim.
type Origin interface{ origin() }

// FromBlock is the origin of what a block declares.
type FromBlock struct {
	Desired *config.Desired // nil only in what a document says
	// Founder marks a membership that the host may make along with what it is in, in
	// this very run.
	Founder bool
}

// FromLedger is the origin of what the ledger has and nobody declares.
type FromLedger struct {
	InBlock bool // its block is there: a key or an element less
	Meant   bool // a removed block says that it is to be deleted, whatever it is and whoever made it
	// Within is the owner that is deleted as well, and takes this along; zero for none.
	Within addr.Instance
	// Successor is the object made in this one's place, which goes last of all; zero
	// for none.
	Successor addr.Instance
}

// FromClaim is the origin of what is in a collection that an exclusive block or a
// set claims, and declared by nobody.
type FromClaim struct {
	// Founder marks a membership that the host makes along with what it is in, in this
	// very run, and that is removed at its end.
	Founder bool
}

func (FromBlock) origin()  {}
func (FromLedger) origin() {}
func (FromClaim) origin()  {}

// Desired returns what is declared, nil for what nobody declares.
func (c *Change) Desired() *config.Desired {
	from, _ := c.Origin.(FromBlock)
	return from.Desired
}

// Stray reports whether the object is in a claimed collection and declared by
// nobody.
func (c *Change) Stray() bool {
	_, ok := c.Origin.(FromClaim)
	return ok
}

// Founder reports whether it is a membership that the host makes along with what it
// is in, in this very run.
func (c *Change) Founder() bool {
	switch from := c.Origin.(type) {
	case FromBlock:
		return from.Founder
	case FromClaim:
		return from.Founder
	}
	return false
}

// ledgered returns where the change comes from if it is the ledger, else nothing.
func (c *Change) ledgered() FromLedger {
	from, _ := c.Origin.(FromLedger)
	return from
}

// Within returns the owner that is deleted as well and takes the object along,
// zero for none.
func (c *Change) Within() addr.Instance { return c.ledgered().Within }

// Successor returns the object made in this one's place, zero for none.
func (c *Change) Successor() addr.Instance { return c.ledgered().Successor }
