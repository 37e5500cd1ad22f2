package reconcile

import (
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// Some objects let something into what they are in: a member a user, a share a
// group with its members. Whoever names a user or a group that has to have access
// waits for the objects that give it.

// admitting lists the declared objects that let a thing in, anywhere.
func (w *world) admitting(kind string, what *schema.Ref) []*node {
	if w.doors == nil {
		w.doors = map[thing][]*node{}
		for _, n := range w.all {
			k := n.kind()
			if k.Admits() == "" {
				continue
			}
			if r, ok := schema.RefOf(n.want.Object.Get(k.Admits())); ok {
				for _, t := range called(k.Attr(k.Admits()).RefKind(), &r) {
					w.doors[t] = append(w.doors[t], n)
				}
			}
		}
	}
	for _, t := range called(kind, what) {
		if found := w.doors[t]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// called are the ways to tell a thing: by its id, and by its name.
func called(kind string, r *schema.Ref) (out []thing) {
	if r.ID != "" {
		out = append(out, byID(kind, r.ID))
	}
	if r.Path != "" {
		out = append(out, byName(kind, r.Path))
	}
	return out
}

// entrances lists the declared objects by which what s names gets access to its
// owner, as far as that can be told without reading.
func (w *world) entrances(s *seeker) (out []addr.Instance) {
	owner := s.kind().Owner()
	if owner == nil {
		return nil
	}
	in := schema.AsRef(s.want.Object.Get(owner.Name))
	for a, v := range s.want.Object.Value.All() {
		if !a.NeedsAccess() || in == nil {
			continue
		}
		for _, what := range schema.Refs(v) {
			out = append(out, w.ways(a.RefKind(), what, owner.RefKind(), in)...)
		}
	}
	return out
}

// ways lists the declared objects that let a thing into another: directly, or by a
// group that others let in.
func (w *world) ways(kind string, what *schema.Ref, into string, in *schema.Ref) (out []addr.Instance) {
	for _, n := range w.admitting(kind, what) {
		a := n.kind().Owner()
		switch to := schema.AsRef(n.want.Object.Get(a.Name)); {
		case to == nil:
		case a.RefKind() == into && to.Same(in) || beneath(in, to):
			out = append(out, n.want.Addr)
		case a.RefKind() != kind:
			if more := w.ways(a.RefKind(), to, into, in); len(more) > 0 {
				out = append(append(out, n.want.Addr), more...)
			}
		}
	}
	return out
}

// beneath tells whether one path is below another.
func beneath(low, high *schema.Ref) bool {
	return high.Path != "" && strings.HasPrefix(strings.ToLower(low.Path), strings.ToLower(high.Path)+"/")
}
