package access

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

// IsCreatorMembership reports whether an object is the membership of the token's
// own user in what this run makes: the host may make that along with it.
func IsCreatorMembership(w *match.World, n *match.Node) bool {
	if n.Kind().OwnerLevel() == 0 || n.Collection() != (schema.Collection{}) || n.Kind().Owner() == nil {
		return false
	}
	_, v, ok := match.Key(n.Desired().Object)
	r := schema.AsRef(v)
	return ok && r != nil && r.ID != "" && r.ID == w.Self.ID
}

// CreatorMembership returns the membership that the host gives to the token's own
// user in what this run makes, where an exclusive set of members has no such
// user: it is removed at the end of the same run. It reports false where there
// is none.
func CreatorMembership(w *match.World, x *config.Exclusive, s *match.Seeker) (schema.Object, bool) {
	owner := s.Owner()
	if x.Kind.OwnerLevel() == 0 || w.Self.ID == "" || !w.Scope().Includes(x.Addr) || s.Status() != match.Pending ||
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
