package plan

import (
	"fmt"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/schema"
)

// unmarkedRename finds a deletion and a creation that look like one object under two addresses.
func unmarkedRename(changes []*Change, _ *Plan, _ *Facts) []Finding {
	made := map[*schema.Kind][]*Change{}
	for _, c := range changes {
		if c.Action == Create {
			made[c.Kind] = append(made[c.Kind], c)
		}
	}
	var out []Finding
	moves := map[[2]addr.Instance]int{} // index of the finding: one moved block moves a whole module
	for _, c := range changes {
		if c.Action != Delete || c.Stray() || c.Entry == nil || c.Successor() != (addr.Instance{}) {
			continue
		}
		n := slices.IndexFunc(made[c.Kind], func(m *Change) bool { return looksRenamed(c, m) && sameWithin(c, m) })
		if n < 0 {
			n = slices.IndexFunc(made[c.Kind], func(m *Change) bool { return looksRenamed(c, m) })
		}
		if n < 0 {
			continue
		}
		m := made[c.Kind][n]
		made[c.Kind] = slices.Delete(made[c.Kind], n, n+1)
		from, to := addr.Shortest(c.Addr, m.Addr)
		if i, ok := moves[[2]addr.Instance{from, to}]; ok {
			out[i].Objects = append(out[i].Objects, c.Addr.String(), m.Addr.String())
			continue
		}
		moves[[2]addr.Instance{from, to}] = len(out)
		twins := finding(fmt.Sprintf("%s would be deleted and %s created; this looks like a renamed %s.",
			c.title(), m.title(), c.Kind.Name),
			fmt.Sprintf("To rename it, add\n\nmoved {\n  from = %s\n  to   = %s\n}\n\nIf they are two objects, put "+
				"lifecycle { allow = [%q] } on %s.",
				from, to, guard.UnmarkedRename, m.Addr.Block), c, m)
		twins.Decl = m.Decl
		out = append(out, twins)
	}
	return out
}

// sameWithin reports whether two addresses differ only in their modules.
func sameWithin(gone, made *Change) bool {
	from, _ := addr.Shortest(gone.Addr, made.Addr)
	return from.IsCall()
}

// looksRenamed reports whether two changes of a kind look like one object. Groups and projects do
// in the same collection, or with the same last path segment. Other objects do in the same
// collection with equal values of every declared attribute except the key.
func looksRenamed(gone, made *Change) bool {
	t := gone.Kind.Tree
	switch {
	case gone.Addr.Block == made.Addr.Block:
		return false // another key of one for_each is another object
	case gone.Collection == made.Collection && gone.Addr.WithoutIndexes() == made.Addr.WithoutIndexes():
		return false // so is another element of a list, wherever the list around it is now
	case gone.Collection == made.Collection && t != nil:
		return true
	case t != nil:
		return gone.Kind.Attr(t.Segment).Equal(gone.Before.Get(t.Segment), made.After.Get(t.Segment))
	case gone.Collection != made.Collection:
		return false
	}
	same := 0
	for a, v := range made.After.Value.All() {
		if slices.Contains(gone.Kind.Match.Keys, a.Name) || a == gone.Kind.Owner() || a.IsSecret() || v.IsNull() {
			continue
		}
		if !a.Equal(v, gone.Before.Get(a.Name)) {
			return false
		}
		same++
	}
	return same > 0
}
