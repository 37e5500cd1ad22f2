package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Change is what the plan does with one object.
type Change struct {
	Addr   addr.Instance
	Origin Origin        // nil in what a document says
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
	Entry         *ledger.Entry   // what the ledger knows of it; nil for something new to hew
	Needs         []addr.Instance // changes that must be done before this one
	Collection    schema.Collection
	Owner         string     // the collection's owner for people: "acme/platform"
	Along         []string   // titles of what the host deletes with it, and no change of the plan is about
	Allow         []string   // guard codes lifted for this object
	AllowAt       *hcl.Range // where that stands; nil where nothing is lifted
	Gone          bool       // the ledger knows it, the host does not
	Digest        string     // of what it does and of what is there before; see Plan.Sum
}

// Removes reports whether an object goes: deleted, or deleted and made anew.
func (c *Change) Removes() bool { return c.Action == Delete || c.Action == Replace }

// TakesBack reports whether what goes is a membership that the host makes in this
// very run.
func (c *Change) TakesBack() bool { return c.Founder() && c.Action == Delete }

// TakeAlong says what the host deletes with the object.
func (c *Change) TakeAlong(along []string) {
	if c.Along = slices.Sorted(slices.Values(along)); len(along) == 0 {
		return
	}
	if c.Why != "" {
		c.Why += "; "
	}
	c.Why += "takes along " + c.alongTitles()
}

// alongTitles names the first of what goes with the object.
func (c *Change) alongTitles() string {
	const shown = 5
	if more := len(c.Along) - shown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(c.Along[:shown], ", "), more)
	}
	return strings.Join(c.Along, ", ")
}

// Resets reports whether an object stays that nobody declares any more, without
// what hew has set there.
func (c *Change) Resets() bool { return c.Action == Update && c.Desired() == nil }

// Alters reports whether an object that is there changes in the named attribute,
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

// Changes reports whether the change sends anything to the host.
func (c *Change) Changes() bool {
	switch c.Action {
	case Create, Update, Replace, Delete:
		return true
	case Adopt:
		return len(c.Paths) > 0
	}
	return false
}

// Drifted reports whether somebody else than the configuration made a part of
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

// AddNeed returns needs with a in it, and leaves the given slice as it is.
func AddNeed(needs []addr.Instance, a addr.Instance) []addr.Instance {
	if slices.Contains(needs, a) {
		return needs
	}
	return append(needs[:len(needs):len(needs)], a)
}
