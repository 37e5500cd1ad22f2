package access

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

// IsCreatorMembership reports whether a node is the membership of the token's own user in an object
// that this run creates. The host may create it along with the object.
func IsCreatorMembership(w *match.World, n *match.Node) bool {
	if n.Kind().OwnerLevel() == 0 || n.Collection() != (schema.Collection{}) || n.Kind().Owner() == nil {
		return false
	}
	_, v, ok := match.Key(n.Desired().Object)
	r := schema.AsRef(v)
	return ok && r != nil && r.ID != "" && r.ID == w.Self.ID
}

// CreatorMembership returns the membership that the host gives to the token's own user in an object
// that this run creates, if an exclusive set of members does not declare it. It is deleted at the
// end of the run. It returns false if there is none.
func CreatorMembership(w *match.World, x *config.Exclusive, d *match.Declaration) (schema.Object, bool) {
	owner := d.Owner()
	if x.Kind.OwnerLevel() == 0 || w.Self.ID == "" || !w.Scope().Includes(x.Addr) || d.Status() != match.Pending ||
		owner == nil || owner.ID != "" {
		return schema.Object{}, false
	}
	made := w.Target(x.Kind.Owner().RefKind(), owner)
	if made == nil || made.Status() != match.Missing {
		return schema.Object{}, false
	}
	for _, n := range w.Planned() {
		if n.Kind() == x.Kind && n.Owner() == owner && (IsCreatorMembership(w, n) || n.Status() == match.Blocked) {
			return schema.Object{}, false
		}
	}
	o := schema.Object{Kind: x.Kind, ID: w.Self.ID}
	o.Value.Set(x.Kind.Owner(), schema.RefVal(owner))
	o.Value.Set(x.Kind.Attr(x.Kind.Admits()), schema.RefVal(&schema.Ref{ID: w.Self.ID, Path: w.Self.Username}))
	o.Value.Set(x.Kind.Attr(x.Kind.LevelAttr()), cty.NumberIntVal(int64(x.Kind.OwnerLevel())))
	return o, true
}
