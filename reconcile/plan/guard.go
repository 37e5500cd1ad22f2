package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
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

// Guard runs every guard over the plan and records what trips.
func (p *Plan) Guard(f *Facts) {
	p.Guards = nil
	for _, rule := range guard.Rules() {
		for _, finding := range trips[rule.Code](p.guarded(rule), p, f) {
			finding.Code = rule.Code
			p.Guards = append(p.Guards, finding)
		}
	}
	p.Applyable = len(p.Guards) == 0
}

// guarded returns the changes that a guard looks at: without those that lift it, where
// objects can.
func (p *Plan) guarded(rule guard.Rule) []*Change {
	changes := make([]*Change, 0, len(p.Changes))
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action != NoOp && !(rule.Lift && c.lifts(rule.Code)) {
			changes = append(changes, c)
		}
	}
	return changes
}

// lifts reports whether a guard that objects can lift is lifted for this one.
func (c *Change) lifts(code string) bool {
	return slices.Contains(c.Allow, code) ||
		c.ledgered().Meant && (code == guard.AdoptedDelete || code == guard.UnmarkedRename)
}

// finding returns what a guard has to say of one change or several.
func finding(text, fix string, changes ...*Change) Finding {
	f := Finding{Text: text, Fix: strings.TrimSpace(fix), Decl: changes[0].Decl}
	for _, c := range changes {
		f.Objects = append(f.Objects, c.Addr.String())
	}
	return f
}

// title names what changes for people: with its owner, where it is known within that.
func (c *Change) title() string {
	title := cmp.Or(c.Title, c.Addr.String())
	if c.Owner != "" && !strings.Contains(title, c.Owner) {
		title = c.Owner + " " + title
	}
	return title
}

// liftAdvice says where the guard is lifted for a change: on the block if there is one, else in one that removes it.
func (c *Change) liftAdvice(code string) string {
	lead := "If it is meant"
	if c.Removes() {
		lead = "If it may go"
	}
	if c.declared() {
		return fmt.Sprintf("%s, put lifecycle { allow = [%q] } on %s.", lead, code, c.Addr.Block)
	}
	const removed = "\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = true\n    allow   = [%q]\n  }\n}"
	return fmt.Sprintf("%s, add"+removed, lead, c.Addr, code)
}

// declared reports whether there is a block that the change belongs to: its own, that of a set or a for_each which has an
// element less, or an exclusive one.
func (c *Change) declared() bool {
	return c.ledgered().InBlock || c.Stray() || c.Desired() != nil || !c.Removes() && !c.Resets()
}

// countNoun returns so many of a thing.
func countNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func orDefault(p *int, def int) int {
	if p == nil {
		return def
	}
	return *p
}
