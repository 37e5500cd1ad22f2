package plan

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
	"hew/schema"
)

// Action is what happens to an object. Its rune is the sign shown to users.
type Action rune

// The actions. Adopt, Release, Move, NotFound and NoOp send nothing to the host, except for an
// Adopt with differences. NotFound is an object in the ledger for which the host answers 404, and
// which the guard mass-404 keeps from being created again.
const (
	NoOp     Action = ' '
	Create   Action = '+'
	Update   Action = '~'
	Replace  Action = '±'
	Delete   Action = '-'
	Adopt    Action = '='
	Move     Action = '>'
	Release  Action = 'x'
	NotFound Action = '?'
)

var actionNames = map[Action]string{NoOp: "no-op", Create: "create", Update: "update", Replace: "replace",
	Delete: "delete", Adopt: "adopt", Move: "move", Release: "release", NotFound: "not-found"}

// Name returns the action's name for JSON and messages.
func (a Action) Name() string { return actionNames[a] }

// Cause is who made a difference.
type Cause string

// The causes. Unknown means that the ledger has no digest of the value.
const (
	ByConfig Cause = "config"
	ByDrift  Cause = "drift"
	ByBoth   Cause = "both"
	Unknown  Cause = "unknown"
)

// PathChange is the difference of one attribute.
type PathChange struct {
	Attr   *schema.Attr
	Before cty.Value // null if absent
	After  cty.Value // unknown if known after apply
	Cause  Cause
	Note   string // "back to its default", "sent again", "not readable" …
	// Kept are the keys of a map that the host does not show and that are as last applied.
	Kept []string
}

// Finding is a violation of a guard.
type Finding struct {
	Code    string
	Text    string   // what would happen, in one or two sentences
	Fix     string   // what to do, overrides included
	Objects []string // addresses or titles
	Decl    *hcl.Range
}

// Undeclared is a live object that is neither declared nor in the ledger, in a collection that has
// managed ones and that no exclusive block claims. Plans list them only on request and never change
// them.
type Undeclared struct {
	Object schema.Object
	Title  string // its key
	Owner  string // title of its owner
}

// Suspended is an exclusive block or set that removes nothing in this run, because a live object
// that the configuration declares could be taken for a stray.
type Suspended struct {
	Addr  addr.Instance
	Kind  *schema.Kind // kind of its elements
	Owner string       // title of their owner
	Note  string       // one of the plan's notes: the reason
}

// Stats measure a run. They are not part of the digest.
type Stats struct {
	Requests int
	Seconds  float64
	Objects  int  // declared objects
	Shared   bool // Requests includes those of concurrent runs
}

// Plan is everything a run would do, and everything it cannot do.
type Plan struct {
	Changes []Change // sorted by address, NoOps included
	Blocked []config.Blocked
	Guards  []Finding
	Outputs []config.Output
	Checks  []config.Check // results of check blocks with planned values
	Notes   []string
	// Suspended are exclusive sets and blocks that remove nothing in this run.
	Suspended  []Suspended
	Undeclared []Undeclared // if requested, sorted by kind, owner and title
	// Ledgerless reports that no ledger has these objects, so causes are unknown.
	Ledgerless bool
	// Sizes is the number of live objects in each collection.
	Sizes     map[schema.Collection]int
	Stats     Stats
	Host      string // base URL of the API
	User      string // name of the token's user; "" if the host does not tell
	Lineage   string // of the ledger; "" without a persistent one
	Digest    string // see Plan.Sum
	Unbound   string // why other runs cannot compare the digest, or ""
	Applyable bool   // no guard trips

	sizes map[addr.Instance]int // see SetSizes; nil except in drift
}

// Count returns how many changes have an action. Adoptions without differences count as Adopt. It
// omits the deletion of memberships that the same run creates.
func (p *Plan) Count(a Action) (n int) {
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action == a && !c.DeletesCreatorMembership() {
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

// Drift returns the part of the plan that was caused by drift, and in Stops of each change the
// guards that it trips. Without a ledger, causes are unknown and all differences stay.
func (p *Plan) Drift() *Plan {
	d := *p
	d.Changes, d.sizes = nil, p.SetSizes()
	stops := p.stops()
	for _, c := range p.Changes {
		switch {
		case c.Action == NotFound:
		case c.LostApproval(), c.Failing():
			c.Action, c.Cause = Update, ByDrift
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
		c.Stops = stops[c.Addr.String()]
		if c.Restore && !slices.Contains(c.Allow, guard.Restore) {
			c.Stops = append(slices.Clone(c.Stops), guard.Restore)
		}
		d.Changes = append(d.Changes, c)
	}
	d.Guards = slices.DeleteFunc(slices.Clone(p.Guards), func(f Finding) bool { return f.Code != guard.Mass404 })
	d.Applyable = false
	return &d
}

// stops returns the codes of the guards that stop each change, by its address.
func (p *Plan) stops() map[string][]string {
	codes := map[string][]string{}
	for _, f := range p.Guards {
		for _, at := range f.Objects {
			if !slices.Contains(codes[at], f.Code) {
				codes[at] = append(codes[at], f.Code)
			}
		}
	}
	return codes
}
