package data

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

var _ config.Oracle = (*Sources)(nil)

// Live returns what is known of a declared object besides its declared values.
func (s *Sources) Live(a addr.Instance) schema.Sparse {
	n := s.world.Node(a)
	if n == nil {
		return schema.Sparse{}
	}
	var values schema.Sparse
	if live := n.Live(); live.ID != "" && !n.IsReplaced() {
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

// fillNulls sets attributes to null that were requested but are not in the host's response, because
// another version or edition may not have them: they will never be known. Details are requested
// separately.
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

// markSpent marks the values of an existing object that the host showed only on creation.
func markSpent(live schema.Object, values *schema.Sparse) {
	for _, a := range live.Unseen() {
		values.Set(a, cty.UnknownVal(a.Type).Mark(schema.Secret).Mark(schema.Spent))
	}
}

// Data returns the answer of a data source, or false if there is none yet.
func (s *Sources) Data(a addr.Instance, _ schema.Object) (map[string]cty.Value, bool) {
	n := s.all[a]
	if n == nil || n.answer == nil {
		return nil, false
	}
	return n.answer(), true
}

// Blocked returns why an instance or data source cannot be planned, or "".
func (s *Sources) Blocked(a addr.Instance) string {
	of := s.world.Source(a)
	if n := s.world.Node(a); n != nil {
		of = &n.Declaration
	}
	if of == nil || of.Status() != match.Blocked && of.Status() != match.Skipped {
		return ""
	}
	why, _ := of.Reason()
	return why
}
