package plan

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// formerValue returns a value with references to declared objects that were deleted by hand as they
// were when hew applied them: hosts drop a deleted object from everything that refers to it, which
// is drift as well.
func (d Differ) formerValue(a *schema.Attr, v cty.Value) cty.Value {
	refs := schema.Refs(v)
	if d.FormerID == nil || len(refs) == 0 {
		return v
	}
	former := make([]*schema.Ref, len(refs))
	for i, r := range refs {
		if former[i] = r; r.ID == "" {
			former[i] = &schema.Ref{ID: d.FormerID(a.RefKind(), r), Path: r.Path, Addr: r.Addr}
		}
	}
	if a.ManyRefs() {
		return schema.RefsVal(former)
	}
	return schema.RefVal(former[0])
}
