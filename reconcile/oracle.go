package reconcile

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// The world is the oracle that evaluations ask.
var _ config.Oracle = (*world)(nil)

// Live returns what is known of a declared object beyond its stated values.
func (w *world) Live(a addr.Instance) schema.Sparse {
	n := w.nodes[a]
	if n == nil {
		return schema.Sparse{}
	}
	var s schema.Sparse
	if n.live.ID != "" && !n.renewed {
		for attr, v := range n.live.Value.All() {
			s.Set(attr, plainRef(v))
		}
		spend(n.live, &s)
		w.silence(n, &s)
	}
	if t := n.kind().Tree; t != nil && n.path() != "" {
		s.Set(n.kind().Attr(t.Full), cty.StringVal(n.path()))
	}
	return s
}

// silence fills in null for what the host was asked for and did not say, as one
// of another version or edition may not: it will never be known. Details are
// asked for one by one.
func (w *world) silence(n *node, s *schema.Sparse) {
	for _, name := range w.keep[n.kind().Name] {
		a := n.kind().Attr(name)
		if a == nil || a.IsSecret() || a.SentOnce() || a.Detail && !n.detailed {
			continue
		}
		if _, told := s.Get(name); !told {
			s.Set(a, cty.NullVal(a.Type))
		}
	}
}

// Data returns a source's answer.
func (w *world) Data(a addr.Instance, _ schema.Object) (map[string]cty.Value, bool) {
	s := w.sources[a]
	if s == nil || s.answer == nil {
		return nil, false
	}
	return s.answer(), true
}

// Blocked returns why an instance or a source cannot be planned.
func (w *world) Blocked(a addr.Instance) string {
	var s *seeker
	if n := w.nodes[a]; n != nil {
		s = &n.seeker
	} else if d := w.sources[a]; d != nil {
		s = &d.seeker
	}
	if s == nil || s.status != blocked && s.status != skipped {
		return ""
	}
	return s.why
}
