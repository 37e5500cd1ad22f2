package data

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

var _ config.Oracle = (*Sources)(nil)

// Live returns what is known of a declared object beyond its stated values.
func (s *Sources) Live(a addr.Instance) schema.Sparse {
	n := s.world.Node(a)
	if n == nil {
		return schema.Sparse{}
	}
	var values schema.Sparse
	if live := n.Live(); live.ID != "" && !n.Renewed() {
		for attr, v := range live.Value.All() {
			values.Set(attr, showRef(v))
		}
		markSpent(live, &values)
		s.fillNulls(n, &values)
	}
	if t := n.Kind().Tree; t != nil && n.Path() != "" {
		values.Set(n.Kind().Attr(t.Full), cty.StringVal(n.Path()))
	}
	return values
}

// fillNulls fills in null for what the host was asked for and did not say, as one
// of another version or edition may not: it will never be known. Details are
// asked for one by one.
func (s *Sources) fillNulls(n *match.Node, values *schema.Sparse) {
	for _, name := range s.world.Kept(n.Kind()) {
		a := n.Kind().Attr(name)
		if a == nil || a.IsSecret() || a.SentOnce() || a.Detail && !n.Detailed() {
			continue
		}
		if _, ok := values.Get(name); !ok {
			values.Set(a, cty.NullVal(a.Type))
		}
	}
}

// markSpent gives an object that is there the values that the host showed once
// and nobody can read any more.
func markSpent(live schema.Object, values *schema.Sparse) {
	for _, a := range live.Unseen() {
		values.Set(a, cty.UnknownVal(a.Type).Mark(schema.Secret).Mark(schema.Spent))
	}
}

// Data returns the answer of a data source. It reports false while there is none.
func (s *Sources) Data(a addr.Instance, _ schema.Object) (map[string]cty.Value, bool) {
	n := s.all[a]
	if n == nil || n.answer == nil {
		return nil, false
	}
	return n.answer(), true
}

// Blocked returns why an instance or a data source cannot be planned, "" where
// it can.
func (s *Sources) Blocked(a addr.Instance) string {
	of := s.world.Source(a)
	if n := s.world.Node(a); n != nil {
		of = &n.Seeker
	}
	if of == nil || of.Status() != match.Blocked && of.Status() != match.Skipped {
		return ""
	}
	why, _ := of.Reason()
	return why
}
