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

// Facts are what guards check besides the changes.
type Facts struct {
	Limits  config.Guards
	Self    schema.Self
	Ledger  *ledger.Ledger // nil if there is none
	Destroy bool           // the command is destroy
	// Declared is the number of declared resource instances, including blocked ones.
	Declared int
	// Managed is the number of managed live objects, for the limit per run.
	Managed int
	// Live holds the objects of each collection that was read.
	Live map[schema.Collection][]schema.Object
	// NotFound holds the owners and collections in the ledger for which the host answers 404
	// although it can read their owner.
	NotFound []MissingOwner
}

// MissingOwner is an owner or collection in the ledger for which the host answers 404.
type MissingOwner struct {
	Title string
	Addr  addr.Instance
	Whole bool // a whole collection of a readable owner
}

// Guard runs all guards and records their findings.
func (p *Plan) Guard(f *Facts) {
	p.Guards = nil
	for _, rule := range guard.Rules() {
		for _, finding := range trips[rule.Code](p.guarded(rule), p, f) {
			finding.Code = rule.Code
			p.Guards = append(p.Guards, finding)
			if rule.Code == guard.Mass404 {
				p.markNotFound()
			}
		}
	}
	p.Applyable = len(p.Guards) == 0
}

// guarded returns the changes that a guard checks: all but those that lift it, if blocks can.
func (p *Plan) guarded(rule guard.Rule) []*Change {
	changes := make([]*Change, 0, len(p.Changes))
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action != NoOp && !(rule.Lift && c.lifts(rule.Code)) {
			changes = append(changes, c)
		}
	}
	return changes
}

// lifts reports whether the change lifts a guard.
func (c *Change) lifts(code string) bool {
	return slices.Contains(c.Allow, code) ||
		c.fromLedger().RemovedBlock && (code == guard.AdoptedDelete || code == guard.UnmarkedRename)
}

// finding returns a finding about one or more changes.
func finding(text, fix string, changes ...*Change) Finding {
	f := Finding{Text: text, Fix: strings.TrimSpace(fix), Decl: changes[0].Decl}
	for _, c := range changes {
		f.Objects = append(f.Objects, c.Addr.String())
	}
	return f
}

// title returns the title of the changed object, with its owner's unless that is part of it.
func (c *Change) title() string {
	title := cmp.Or(c.Title, c.Addr.String())
	if c.Owner != "" && !strings.Contains(title, c.Owner) {
		title = c.Owner + " " + title
	}
	return title
}

// liftAdvice returns how to lift a guard for a change: in its block, or else in a removed block.
func (c *Change) liftAdvice(code string) string {
	if c.hasBlock() {
		return fmt.Sprintf("If this is intended, put lifecycle { allow = [%q] } on %s.", code, c.Addr.Block)
	}
	const removed = "\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = true\n    allow   = [%q]\n  }\n}"
	return fmt.Sprintf("If this is intended, add"+removed, c.Addr, code)
}

// hasBlock reports whether a block exists that can lift guards for the change: its own, that of a
// set or for_each with one element less, or an exclusive block.
func (c *Change) hasBlock() bool {
	return c.fromLedger().InBlock || c.Stray() || c.Desired() != nil || !c.Removes() && !c.Resets()
}

// countNoun returns a count with its noun in the right number.
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
