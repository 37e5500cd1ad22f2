package plan

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Facts are what guards look at beside the changes.
type Facts struct {
	Limits  config.Guards
	Self    schema.Self
	Ledger  *ledger.Ledger // nil without one
	Destroy bool           // the command asks to delete everything
	// Declared counts resource instances, blocked ones included.
	Declared int
	// Managed counts live objects under management, for the limit per run.
	Managed int
	// Live holds the objects of every collection read.
	Live map[schema.Collection][]schema.Object
	// Lost names owners and collections that the ledger knows and that answer
	// 404 although what holds them is readable.
	Lost []Lost
}

// Lost is something the ledger knows and the host answers 404 for.
type Lost struct {
	Title string
	Addr  addr.Instance
	Whole bool // a whole collection under a readable owner, not one object
}

// The codes of guards that a resource (or a removed block) can lift for its
// own objects, and that other packages speak of.
const (
	AdoptedDelete  = "adopted-delete"
	UnmarkedRename = "unmarked-rename"
	Mass404        = "mass-404"
	Lowered        = "approvals-lowered"
	RequiredOwners = "required-owners"
)

// Restore is no guard: allow = ["restore"] brings back what is marked for
// deletion.
const Restore = "restore"

// Guard runs every guard over the plan and records what trips.
func (p *Plan) Guard(f *Facts) {
	p.Guards = nil
	for _, g := range guards {
		for _, finding := range g.trip(p.under(g), p, f) {
			finding.Code = g.Code
			p.Guards = append(p.Guards, finding)
		}
	}
	p.Applyable = len(p.Guards) == 0
}

// under returns the changes that a guard looks at.
func (p *Plan) under(g guard) []*Change {
	changes := make([]*Change, 0, len(p.Changes))
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action != NoOp && !(g.Lift && c.lifts(g.Code)) {
			changes = append(changes, c)
		}
	}
	return changes
}

// lifts tells whether a guard that objects can lift is lifted for this one.
func (c *Change) lifts(code string) bool { return slices.Contains(c.Allow, code) }

func titleOr(title, other string) string {
	if title != "" {
		return title
	}
	return other
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, strings.TrimSuffix(noun, "s"))
}

func or(p *int, def int) int {
	if p == nil {
		return def
	}
	return *p
}
