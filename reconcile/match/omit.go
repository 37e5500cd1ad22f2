package match

import (
	"slices"

	"hew/schema"
)

// Omit leaves a reference out of what n declares, now and after each evaluation: the host leaves
// out users who have no access to the owner. Omit returns how many references remain.
func (n *Node) Omit(a *schema.Attr, r *schema.Ref) int {
	if n.omitted == nil {
		n.omitted = map[*schema.Attr][]*schema.Ref{}
	}
	n.omitted[a] = append(n.omitted[a], r)
	n.omitOutsiders()
	return len(schema.Refs(n.want.Object.Get(a.Name)))
}

func (n *Node) omitOutsiders() {
	for a, without := range n.omitted {
		all := schema.Refs(n.want.Object.Get(a.Name))
		some := slices.DeleteFunc(slices.Clone(all), func(r *schema.Ref) bool {
			return slices.ContainsFunc(without, r.Same)
		})
		if len(some) < len(all) {
			n.want.Object.Value.Set(a, schema.RefsVal(some))
		}
	}
}
