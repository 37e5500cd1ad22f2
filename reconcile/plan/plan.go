// Package plan compares what is declared with what is live and with what was
// applied last, and says what to do about each difference, why, in which
// order, and whether it is safe. It reads nothing and writes nothing.
package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
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

// Name is the action's word in JSON and in sentences.
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

// Change is what the plan does with one object.
type Change struct {
	Addr   addr.Instance
	From   addr.Instance // old address of something moved; zero otherwise
	Action Action
	Kind   *schema.Kind
	// Title names the object for people: its full path, else its key within
	// Owner.
	Title         string
	Before, After schema.Object
	Paths         []PathChange
	Cause         Cause  // of the whole object: created by config, deleted by drift …
	Why           string // in words, where the action alone does not tell
	AdoptsIfFound bool   // the key is known only at apply; matched again there
	Restore       bool   // pending deletion, restored before it is updated
	Decl          *hcl.Range
	Desired       *config.Desired // nil for what nobody declares
	Entry         *ledger.Entry   // what the ledger knows of it; nil for something new to hew
	Needs         []addr.Instance // changes that must be done before this one
	Collection    schema.Collection
	Owner         string        // the collection's owner for people: "acme/platform"
	Within        addr.Instance // the owner that is deleted as well, and takes this along; zero otherwise
	Along         []string      // titles of what the host deletes with it, and no change of the plan is about
	Successor     addr.Instance // the object made in this one's place, which goes last of all; zero otherwise
	Stray         bool          // in an exclusive collection and declared by nobody
	Founder       bool          // a stray that the host makes along with what it is in, in this very run
	InBlock       bool          // nobody declares it, though its block is there: a key or an element less
	Allow         []string      // guard codes lifted for this object
	AllowAt       *hcl.Range    // where that stands; nil where nothing is lifted
	Meant         bool          // a removed block says that it is to be deleted, whoever made it and whatever it looks like
	Gone          bool          // the ledger knows it, the host does not
	Digest        string        // of what it does and of what is there before; see Plan.Sum
}

// Removes tells whether an object goes: deleted, or deleted and made anew.
func (c *Change) Removes() bool { return c.Action == Delete || c.Action == Replace }

// Takes says what the host deletes with the object.
func (c *Change) Takes(along []string) {
	if c.Along = slices.Sorted(slices.Values(along)); len(along) == 0 {
		return
	}
	if c.Why != "" {
		c.Why += "; "
	}
	c.Why += "takes along " + c.along()
}

// along names the first of what goes with the object.
func (c *Change) along() string {
	const shown = 5
	if more := len(c.Along) - shown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(c.Along[:shown], ", "), more)
	}
	return strings.Join(c.Along, ", ")
}

// Resets tells whether an object stays that nobody declares any more, without
// what hew has set there.
func (c *Change) Resets() bool { return c.Action == Update && c.Desired == nil }

// Alters tells whether an object that is there changes in the named attribute,
// or at all where that is "". What is made anew has new values of everything
// that the host gives it.
func (c *Change) Alters(attr string) bool {
	switch {
	case c.Action == Create || !c.Changes():
		return false
	case attr == "":
		return true
	case slices.ContainsFunc(c.Paths, func(p PathChange) bool { return p.Attr.Name == attr }):
		return true
	}
	a := c.Kind.Attr(attr)
	return c.Action == Replace && a != nil && a.Mode == schema.Computed
}

// Changes tells whether the change sends anything to the host.
func (c *Change) Changes() bool {
	switch c.Action {
	case Create, Update, Replace, Delete:
		return true
	case Adopt:
		return len(c.Paths) > 0
	}
	return false
}

// Drifted tells whether somebody else than the configuration made a part of
// the difference.
func (c *Change) Drifted() bool {
	if c.Cause == ByDrift || c.Cause == ByBoth {
		return true
	}
	for _, p := range c.Paths {
		if p.Cause == ByDrift || p.Cause == ByBoth {
			return true
		}
	}
	return false
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
	Lineage   string // of the ledger that knows these objects; "" without one that lasts
	Digest    string // see Sum
	Unbound   string // why the digest means nothing to another run; "" where it does
	Applyable bool   // no guard trips
}

// Count returns how many changes have the given action, adoptions without
// differences counted as Adopt.
func (p *Plan) Count(a Action) (n int) {
	for i := range p.Changes {
		if p.Changes[i].Action == a {
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

// Empty tells whether applying the plan would send nothing to the host.
func (p *Plan) Empty() bool { return p.Sends() == 0 }

// Drift is the part of the plan that somebody else than the configuration
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
	d.Guards = slices.DeleteFunc(slices.Clone(p.Guards), func(f Finding) bool { return f.Code != Mass404 })
	d.Applyable = false
	return &d
}
