package match

import (
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// Some objects give access to what they are in: a member to a user, a share to a
// group with its members. What names a user or a group that has to have access
// waits for the objects that give it.

// grantsTo returns the declared objects that give a thing access to any other.
func (w *World) grantsTo(kind string, what *schema.Ref) []*Node {
	if w.grants == nil {
		w.grants = map[Thing][]*Node{}
		for _, n := range w.all {
			k := n.Kind()
			if k.Admits() == "" {
				continue
			}
			if r, ok := schema.RefOf(n.want.Object.Get(k.Admits())); ok {
				for _, t := range ThingsOf(k.Attr(k.Admits()).RefKind(), &r) {
					w.grants[t] = append(w.grants[t], n)
				}
			}
		}
	}
	for _, t := range ThingsOf(kind, what) {
		if found := w.grants[t]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// GrantsFor returns the declared objects by which what s names gets access to its
// owner, as far as that can be told without reading.
func (w *World) GrantsFor(s *Seeker) (out []addr.Instance) {
	owner := s.Kind().Owner()
	if owner == nil {
		return nil
	}
	in := schema.AsRef(s.want.Object.Get(owner.Name))
	for a, v := range s.want.Object.Value.All() {
		if !a.NeedsAccess() || in == nil {
			continue
		}
		for _, what := range schema.Refs(v) {
			out = append(out, w.grantsInto(a.RefKind(), what, owner.RefKind(), in)...)
		}
	}
	return out
}

// grantsInto returns the declared objects that give a thing access to another:
// directly, or by a group that has access.
func (w *World) grantsInto(kind string, what *schema.Ref, into string, in *schema.Ref) (out []addr.Instance) {
	for _, n := range w.grantsTo(kind, what) {
		a := n.Kind().Owner()
		switch to := schema.AsRef(n.want.Object.Get(a.Name)); {
		case to == nil:
		case a.RefKind() == into && to.Same(in) || IsBelow(in, to):
			out = append(out, n.want.Addr)
		case a.RefKind() != kind:
			if more := w.grantsInto(a.RefKind(), to, into, in); len(more) > 0 {
				out = append(append(out, n.want.Addr), more...)
			}
		}
	}
	return out
}

// IsBelow reports whether one path is below another.
func IsBelow(low, high *schema.Ref) bool {
	return high.Path != "" && strings.HasPrefix(strings.ToLower(low.Path), strings.ToLower(high.Path)+"/")
}
