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
	Origin Origin        // nil in a plan read from a file
	From   addr.Instance // old address of a moved object, or zero
	Action Action
	Kind   *schema.Kind
	// Title is the full path of the object, or else its key within Owner.
	Title         string
	Before, After schema.Object
	Paths         []PathChange
	Cause         Cause  // of the whole change: created by config, deleted by drift …
	Why           string // reason, if the action alone does not explain it
	AdoptsIfFound bool   // the key is known after apply; matched again then
	Restore       bool   // marked for deletion; restored before it is updated
	Decl          *hcl.Range
	Entry         *ledger.Entry   // prior state; nil if not managed so far
	Needs         []addr.Instance // changes to apply before this one
	Collection    schema.Collection
	Owner         string      // title of the collection's owner: "acme/platform"
	Cascade       []string    // titles of objects without a change that the host deletes with it
	Allow         []string    // guard codes lifted for this object
	AllowAt       *hcl.Range  // position of Allow, or nil
	Renamed       []Renamed   // names that mean something else than when it was applied
	Passed        *PassedName // set by Plan.FindPassedNames, or nil
	Gone          bool        // in the ledger, but not on the host
	Stops         []string    // codes of the guards that stop it; set by Plan.Drift
	Obstacle      string      // why hew apply does not undo it, of drift
	Digest        string      // see Plan.Sum
}

// Renamed is a name in an attribute that means another account or group than when it was applied.
type Renamed struct {
	Attr   *schema.Attr
	Name   string // as it is declared
	Was    string // the id that it meant
	Called string // the present name of that one, or "" if it is gone
	Is     string // the id that it means now
}

// Removes reports whether the live object is deleted, possibly to be replaced.
func (c *Change) Removes() bool { return c.Action == Delete || c.Action == Replace }

// DeletesCreatorMembership reports whether the change deletes a membership that the host creates
// during the same run.
func (c *Change) DeletesCreatorMembership() bool { return c.CreatorMembership() && c.Action == Delete }

// SetCascade sets Cascade and mentions it in Why.
func (c *Change) SetCascade(along []string) {
	if c.Cascade = slices.Sorted(slices.Values(along)); len(along) == 0 {
		return
	}
	if c.Why != "" {
		c.Why += "; "
	}
	c.Why += "also deletes " + c.cascadeTitles()
}

// cascadeTitles returns the first titles in Cascade as text.
func (c *Change) cascadeTitles() string {
	const shown = 5
	if more := len(c.Cascade) - shown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(c.Cascade[:shown], ", "), more)
	}
	return strings.Join(c.Cascade, ", ")
}

// Resets reports whether an object that is no longer declared stays on the host, with what hew set
// reset to defaults.
func (c *Change) Resets() bool { return c.Action == Update && c.Desired() == nil }

// Alters reports whether the change alters the named attribute of an existing object, or any
// attribute if attr is "". A replacement also alters all computed attributes.
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

// LostApproval reports whether the object is a managed member who awaits approval, and of whom
// nothing else differs. Hosts let hew change such a member, and not approve it.
func (c *Change) LostApproval() bool {
	return c.Entry != nil && c.Before.State == schema.Awaiting && len(c.Paths) == 0 &&
		(c.Action == NoOp || c.Action == Update && c.Cause == ByDrift)
}

// Failing reports whether the host does not do what the object is for, and nothing of it differs.
func (c *Change) Failing() bool {
	return c.Before.Failure != "" && len(c.Paths) == 0 &&
		(c.Action == NoOp || c.Action == Adopt || c.Action == Update && c.Cause == ByDrift)
}

// Drifted reports whether drift caused a part of the difference.
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

// AddNeed returns needs with a in it. It does not modify the given slice.
func AddNeed(needs []addr.Instance, a addr.Instance) []addr.Instance {
	if slices.Contains(needs, a) {
		return needs
	}
	return append(needs[:len(needs):len(needs)], a)
}
