package plan

import (
	"path"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// Path returns the full path of one side of the change, or "" for a kind without paths.
func (c *Change) Path(o schema.Object) string {
	if o.Kind == nil || o.Kind.Tree == nil {
		return ""
	}
	v := o.Get(o.Kind.Tree.Full)
	if v.IsNull() || !v.IsKnown() {
		return ""
	}
	return v.AsString()
}

// moveOutEdges orders an object's move out of a group before the deletion of the group, because the
// host deletes everything in the group.
func moveOutEdges(g *graph.Graph[addr.Instance], changes []Change) {
	ends := map[string]addr.Instance{}
	for i := range changes {
		if c := &changes[i]; c.Removes() && c.Path(c.Before) != "" {
			ends[strings.ToLower(c.Path(c.Before))] = c.Addr
		}
	}
	if len(ends) == 0 {
		return
	}
	for i := range changes {
		c := &changes[i]
		from, to := strings.ToLower(c.Path(c.Before)), strings.ToLower(c.Path(c.After))
		if from == to || c.Removes() || !c.Changes() {
			continue
		}
		for in := path.Dir(from); in != "."; in = path.Dir(in) {
			if end, ok := ends[in]; ok && !strings.HasPrefix(to, in+"/") {
				g.AddEdge(end, c.Addr)
			}
		}
	}
}
