package plan

import (
	"fmt"
	"slices"

	"hew/reconcile/addr"
	"hew/schema"
)

// unmarkedRename looks for a deletion and a creation that are one object under
// two addresses.
func unmarkedRename(changes []*Change, _ *Plan, _ *Facts) []Finding {
	made := map[*schema.Kind][]*Change{}
	for _, c := range changes {
		if c.Action == Create {
			made[c.Kind] = append(made[c.Kind], c)
		}
	}
	var out []Finding
	for _, c := range changes {
		if c.Action != Delete || c.Stray || c.Entry == nil || c.Successor != (addr.Instance{}) {
			continue
		}
		n := slices.IndexFunc(made[c.Kind], func(m *Change) bool { return alike(c, m) })
		if n < 0 {
			continue
		}
		m := made[c.Kind][n]
		made[c.Kind] = slices.Delete(made[c.Kind], n, n+1)
		out = append(out, Finding{
			Text: fmt.Sprintf("%s would be deleted and %s created; they look like one %s under a new name.", titleOr(c.Title, c.Addr.String()), titleOr(m.Title, m.Addr.String()), c.Kind.Name),
			Fix: fmt.Sprintf("To rename it add\n\nmoved {\n  from = %s\n  to   = %s\n}\n\nIf they are two things, put lifecycle { allow = [%q] } on the new one.",
				c.Addr, m.Addr, UnmarkedRename),
			Objects: []string{c.Addr.String(), m.Addr.String()},
			Decl:    m.Decl,
		})
	}
	return out
}

// alike tells whether two changes of a kind look like one object: things with a
// path of their own in one collection, or with one last part in two; others in
// one collection and alike in every stated attribute but the key.
func alike(gone, made *Change) bool {
	t := gone.Kind.Tree
	switch {
	case gone.Addr.Block == made.Addr.Block:
		return false // another key of one for_each is another thing
	case gone.Collection == made.Collection && t != nil:
		return true
	case t != nil:
		return gone.Kind.Attr(t.Segment).Equal(gone.Before.Get(t.Segment), made.After.Get(t.Segment))
	case gone.Collection != made.Collection:
		return false
	}
	same := 0
	for a, v := range made.After.Value.All() {
		if slices.Contains(gone.Kind.Match.Keys, a.Name) || a == gone.Kind.Owner() || a.Secret || v.IsNull() {
			continue
		}
		if !a.Equal(v, gone.Before.Get(a.Name)) {
			return false
		}
		same++
	}
	return same > 0
}
