package match

import (
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// Some objects grant access to their owner: a member to a user, a share to a group and its members.
// A declaration that names a user or group that needs access depends on the declarations that grant
// it.

// grantsTo returns the declared objects that grant a user or group access to anything.
func (w *World) grantsTo(kind string, what *schema.Ref) []*Node {
	if w.grants == nil {
		w.grants = map[RefKey][]*Node{}
		for _, n := range w.all {
			k := n.Kind()
			if k.Admits() == "" {
				continue
			}
			if r, ok := schema.RefOf(n.want.Object.Get(k.Admits())); ok {
				for _, t := range RefKeys(k.Attr(k.Admits()).RefKind(), &r) {
					w.grants[t] = append(w.grants[t], n)
				}
			}
		}
	}
	for _, t := range RefKeys(kind, what) {
		if found := w.grants[t]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// GrantsFor returns the declared objects that grant the users and groups named by d access to its
// owner. It reads nothing.
func (w *World) GrantsFor(d *Declaration) (out []addr.Instance) {
	owner := d.Kind().Owner()
	if owner == nil {
		return nil
	}
	in := schema.AsRef(d.want.Object.Get(owner.Name))
	for a, v := range d.want.Object.Value.All() {
		if !a.NeedsAccess() || in == nil {
			continue
		}
		for _, what := range schema.Refs(v) {
			out = append(out, w.grantsInto(a.RefKind(), what, owner.RefKind(), in)...)
		}
	}
	return out
}

// grantsInto returns the declared objects that grant a user or group access to an owner, directly
// or through a group that has access.
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

// IsBelow reports whether the path of low is below the path of high.
func IsBelow(low, high *schema.Ref) bool {
	return high.Path != "" && strings.HasPrefix(strings.ToLower(low.Path), strings.ToLower(high.Path)+"/")
}
