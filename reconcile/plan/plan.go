// Package plan compares what is declared with what is live and with what was
// applied last, and says what to do about each difference, why, in which
// order, and whether it is safe. It reads nothing and writes nothing.
package plan

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/guard"
	"hew/schema"
)

// Action is what happens to an object. It prints as the sign people know.
type Action rune

// The actions. Adopt, Release, Move and NoOp send nothing to the host; only
// Create, Update, Replace, Delete and an Adopt with differences are changes.
const (
	NoOp    Action = ' '
	Create  Action = '+'
	Update  Action = '~'
	Replace Action = '±'
	Delete  Action = '-'
	Adopt   Action = '='
	Move    Action = '>'
	Release Action = 'x'
)

var actionNames = map[Action]string{NoOp: "no-op", Create: "create", Update: "update", Replace: "replace",
	Delete: "delete", Adopt: "adopt", Move: "move", Release: "release"}

// Name returns the action's word in JSON and in sentences.
func (a Action) Name() string { return actionNames[a] }

// Cause says who made a difference.
type Cause string

// The causes; Unknown where the ledger does not know the value.
const (
	ByConfig Cause = "config"
	ByDrift  Cause = "drift"
	ByBoth   Cause = "both"
	Unknown  Cause = "unknown"
)

// PathChange is one attribute's difference.
type PathChange struct {
	Attr   *schema.Attr
	Before cty.Value // null where absent
	After  cty.Value // unknown where known only after apply
	Cause  Cause
	Note   string // "back to its default", "sent again", "not readable" …
}

// Finding is a guard that trips.
type Finding struct {
	Code    string
	Text    string   // one sentence with the numbers
	Fix     string   // how to go on, lifts included
	Objects []string // addresses or titles
	Decl    *hcl.Range
}

// Stray is a live object beside managed ones that nobody declares, in a collection
// that nobody claims whole. It is nothing that a plan would do anything about.
type Stray struct {
	Object schema.Object
	Title  string // its key
	Owner  string // whose it is, for people
}

// Stats are left out of the digest.
type Stats struct {
	Requests int
	Seconds  float64
	Objects  int  // declared
	Shared   bool // other runs read along with this one, so that nobody knows what it took
}

// Plan is everything a run would do, and everything it cannot.
type Plan struct {
	Changes []Change // sorted by address; NoOps included
	Blocked []config.Blocked
	Guards  []Finding
	Outputs []config.Output
	Checks  []config.Check // what the check blocks came to, by the values planned
	Notes   []string
	Strays  []Stray // where they are asked for; by kind, owner and title
	// Ledgerless: no ledger knows these objects, so causes are unknown.
	Ledgerless bool
	// Sizes is the number of live objects by collection, for "3 of 42 members".
	Sizes     map[schema.Collection]int
	Stats     Stats
	Host      string // base URL of the API that it is for
	User      string // name of the token's user; "" where the host does not say
	Lineage   string // of the ledger that knows these objects; "" without one that lasts
	Digest    string // see Sum
	Unbound   string // why the digest means nothing to another run; "" where it does
	Applyable bool   // no guard trips
}

// Count returns how many changes have the given action, adoptions without
// differences counted as Adopt. What is taken back is nothing that is deleted:
// there is nothing yet.
func (p *Plan) Count(a Action) (n int) {
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action == a && !c.TakesBack() {
			n++
		}
	}
	return n
}

// TakenBack returns how many memberships the run takes back that it brings about.
func (p *Plan) TakenBack() (n int) {
	for i := range p.Changes {
		if p.Changes[i].TakesBack() {
			n++
		}
	}
	return n
}

// Sends returns how many changes write to the host.
func (p *Plan) Sends() (n int) {
	for i := range p.Changes {
		if p.Changes[i].Changes() {
			n++
		}
	}
	return n
}

// Empty reports whether applying the plan would send nothing to the host.
func (p *Plan) Empty() bool { return p.Sends() == 0 }

// Drift returns the part of the plan that somebody else than the configuration
// made; changes that are only pending are left out. Without a ledger nothing
// tells the two apart, and every difference stays.
func (p *Plan) Drift() *Plan {
	d := *p
	d.Changes = nil
	for _, c := range p.Changes {
		switch {
		case !c.Changes():
			continue
		case p.Ledgerless:
		case c.Cause == ByDrift || c.Cause == ByBoth:
		default:
			c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), func(pc PathChange) bool {
				return pc.Cause != ByDrift && pc.Cause != ByBoth
			})
			if len(c.Paths) == 0 {
				continue
			}
		}
		d.Changes = append(d.Changes, c)
	}
	d.Guards = slices.DeleteFunc(slices.Clone(p.Guards), func(f Finding) bool { return f.Code != guard.Mass404 })
	d.Applyable = false
	return &d
}
