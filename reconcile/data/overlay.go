package data

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// answerOverlay answers for an object that always exists: the live one with its declared values,
// and with defaults where it is no longer declared. A block may compute its values from this source
// ("the live list plus one element"); such values are answered as they are live, because otherwise
// each plan would add another element.
func (s *Sources) answerOverlay(of *source, live schema.Object) answerFunc {
	var n *match.Node
	for _, m := range s.world.Planned() {
		if m.Kind() == live.Kind {
			n = m
		}
	}
	if n == nil || n.Status() == match.Blocked || n.Status() == match.Skipped {
		if s.hasUndecided(live.Kind) {
			return nil
		}
		return func() map[string]cty.Value { return s.resetValues(of.Kind(), live) }
	}
	read := map[string]bool{} // attributes computed from this source
	for a, v := range n.Desired().Object.Value.All() {
		if a.Known(v) || len(n.Desired().DependsOn) > 0 {
			continue
		}
		if s.hasUnanswered(of) {
			return nil
		}
		read[a.Name] = true
	}
	of.overlaid, of.unknown = n, countUnknown(n)
	return func() map[string]cty.Value {
		values := valuesOf(of.Kind(), live)
		for a, v := range n.Desired().Object.Value.All() {
			if _, ok := values[a.Name]; !ok || read[a.Name] || a.RefKind() != "" {
				continue
			}
			if v = plan.KeepIgnored(n.Desired(), a, v, live); !a.Known(v) {
				v = config.MarkOrigin(n.Addr(), v)
			}
			values[a.Name] = v
		}
		return values
	}
}

// markIfKnownMore marks a source as stale after more values of its overlaid declaration have become
// known.
func (s *Sources) markIfKnownMore(n *source) {
	if n.overlaid == nil {
		return
	}
	if now := countUnknown(n.overlaid); now != n.unknown {
		n.unknown = now
		s.world.MarkStale(n.Addr().Block)
	}
}

// countUnknown returns the number of unknown declared values.
func countUnknown(n *match.Node) (count int) {
	for a, v := range n.Desired().Object.Value.All() {
		if !a.Known(v) {
			count++
		}
	}
	return count
}

// resetValues returns the values of an object that always exists, with defaults for what hew has
// set if its block was removed.
func (s *Sources) resetValues(k *schema.Kind, live schema.Object) map[string]cty.Value {
	values := valuesOf(k, live)
	for _, o := range s.world.Orphans() {
		if action, _ := o.Decision(); o.Kind() != live.Kind || action != match.Reset {
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

// hasUnanswered reports whether another source is not answered yet.
func (s *Sources) hasUnanswered(n *source) bool {
	for at, other := range s.all {
		if other != n && other.answer == nil && other.Status() == match.Pending && s.world.Scope().Includes(at) {
			return true
		}
	}
	return false
}

// hasUndecided reports whether any orphan of the kind may still be deleted.
func (s *Sources) hasUndecided(k *schema.Kind) bool {
	for at, o := range s.world.Orphans() {
		if action, _ := o.Decision(); o.Kind() == k && action == match.Undecided && o.Failure() == "" &&
			!s.world.InBlocked(at) {
			return true
		}
	}
	return false
}
