package reconcile

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// overlaid answers for what is always there: as it is, with what its block
// states, and without what it stated once. A block may state what it has read
// itself, as in "what is there, and one more": that is answered as it is now, or
// every plan would add another one.
func (w *world) overlaid(s *source, live schema.Object) reply {
	var n *node
	for _, m := range w.order {
		if m.kind() == live.Kind {
			n = m
		}
	}
	if n == nil || n.status == blocked || n.status == skipped {
		if w.undecided(live.Kind) {
			return nil
		}
		return func() map[string]cty.Value { return w.released(s.kind(), live) }
	}
	read := map[string]bool{} // stated by what was read here
	for a, v := range n.want.Object.Value.All() {
		if a.Known(v) || len(n.want.Needs) > 0 {
			continue
		}
		if w.expects(s) {
			return nil
		}
		read[a.Name] = true
	}
	s.over, s.unknown = n, unknowns(n)
	return func() map[string]cty.Value {
		values := answerOf(s.kind(), live)
		for a, v := range n.want.Object.Value.All() {
			if _, told := values[a.Name]; !told || read[a.Name] || a.RefKind() != "" {
				continue
			}
			if v = plan.Kept(&n.want, a, v, live); !a.Known(v) {
				v = config.Origin(n.want.Addr, v)
			}
			values[a.Name] = v
		}
		return values
	}
}

// refresh has expressions see a source again once more is known of what its
// answer is overlaid with.
func (w *world) refresh(s *source) {
	if s.over == nil {
		return
	}
	if now := unknowns(s.over); now != s.unknown {
		s.unknown = now
		w.news[s.want.Addr.Block] = true
	}
}

// unknowns counts the stated values that are not known.
func unknowns(n *node) (count int) {
	for a, v := range n.want.Object.Value.All() {
		if !a.Known(v) {
			count++
		}
	}
	return count
}

// released is what is always there once its block is gone: what hew has set goes
// back to its defaults.
func (w *world) released(k *schema.Kind, live schema.Object) map[string]cty.Value {
	values := answerOf(k, live)
	for _, o := range w.orphans {
		if o.kind != live.Kind || o.fate != reset {
			continue
		}
		for name := range o.entry.Owned {
			if a := live.Kind.Attr(name); k.Attr(name) != nil && a != nil && a.Default != nil {
				values[name] = a.Default(live)
			}
		}
	}
	return values
}

// expects tells whether another source is still to be answered.
func (w *world) expects(s *source) bool {
	for at, other := range w.sources {
		if other != s && other.answer == nil && other.status == pending && w.narrowing.has(at) {
			return true
		}
	}
	return false
}
