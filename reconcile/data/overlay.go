package data

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// overlay answers for what is always there: as it is, with what its block
// states, and without what it stated once. A block may state what it has read
// itself, as in "what is there, and one more": that is answered as it is now, or
// every plan would add another one.
func (s *Sources) overlay(of *source, live schema.Object) reply {
	var n *match.Node
	for _, m := range s.world.Planned() {
		if m.Kind() == live.Kind {
			n = m
		}
	}
	if n == nil || n.Status() == match.Blocked || n.Status() == match.Skipped {
		if s.undecided(live.Kind) {
			return nil
		}
		return func() map[string]cty.Value { return s.released(of.Kind(), live) }
	}
	read := map[string]bool{} // stated by what was read here
	for a, v := range n.Desired().Object.Value.All() {
		if a.Known(v) || len(n.Desired().Needs) > 0 {
			continue
		}
		if s.expectsOther(of) {
			return nil
		}
		read[a.Name] = true
	}
	of.over, of.unknown = n, countUnknown(n)
	return func() map[string]cty.Value {
		values := valuesOf(of.Kind(), live)
		for a, v := range n.Desired().Object.Value.All() {
			if _, ok := values[a.Name]; !ok || read[a.Name] || a.RefKind() != "" {
				continue
			}
			if v = plan.Kept(n.Desired(), a, v, live); !a.Known(v) {
				v = config.Origin(n.Addr(), v)
			}
			values[a.Name] = v
		}
		return values
	}
}

// refresh has expressions see a source again once more is known of what its
// answer is overlaid with.
func (s *Sources) refresh(n *source) {
	if n.over == nil {
		return
	}
	if now := countUnknown(n.over); now != n.unknown {
		n.unknown = now
		s.world.Announce(n.Addr().Block)
	}
}

// countUnknown counts the stated values that are not known.
func countUnknown(n *match.Node) (count int) {
	for a, v := range n.Desired().Object.Value.All() {
		if !a.Known(v) {
			count++
		}
	}
	return count
}

// released returns what is always there once its block is gone: what hew has set goes
// back to its defaults.
func (s *Sources) released(k *schema.Kind, live schema.Object) map[string]cty.Value {
	values := valuesOf(k, live)
	for _, o := range s.world.Orphans() {
		if fate, _ := o.Decision(); o.Kind() != live.Kind || fate != match.Reset {
			continue
		}
		for name := range o.Entry().Owned {
			if a := live.Kind.Attr(name); k.Attr(name) != nil && a != nil && a.Default != nil {
				values[name] = a.Default(live)
			}
		}
	}
	return values
}

// expectsOther reports whether another source is still to be answered.
func (s *Sources) expectsOther(n *source) bool {
	for at, other := range s.all {
		if other != n && other.answer == nil && other.Status() == match.Pending && s.world.Scope().Includes(at) {
			return true
		}
	}
	return false
}

// undecided reports whether something of the kind may still turn out to be
// leaving.
func (s *Sources) undecided(k *schema.Kind) bool {
	for at, o := range s.world.Orphans() {
		if fate, _ := o.Decision(); o.Kind() == k && fate == match.Undecided && o.Failure() == "" &&
			!s.world.InBlocked(at) {
			return true
		}
	}
	return false
}
