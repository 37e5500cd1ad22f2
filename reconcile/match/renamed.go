package match

import (
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// A configuration names users and groups, but a name is not a person: an account can be renamed,
// and somebody else can register its old name. The ledger therefore has the id that each name meant
// when it was applied. An account that was only renamed is followed. A name that means another
// account now is recorded, and a guard stops its change.

// resolveUsers checks that the users and groups that n names exist, and fills in their ids. It
// returns false while one has to be looked up, and when it blocks n.
func (w *World) resolveUsers(n *Node) bool {
	if !w.resolveSiblings(n) {
		return false
	}
	complete := true
	n.renamed = n.renamed[:0]
	for a, v := range n.want.Object.Value.All() {
		if a.RefKind() == "" || w.refersToSibling(a) {
			continue
		}
		for _, r := range schema.Refs(v) {
			if w.Target(a.RefKind(), r) != nil {
				continue
			}
			if a != n.Kind().Owner() && !w.resolveUser(n, a, r) || !w.compareMeaning(n, a, r) {
				complete = false // look up the others in the same wave
			}
			if n.status == Blocked {
				return false
			}
		}
	}
	return complete
}

// resolveUser fills in the id of a reference. It follows an account that has another name now. It
// returns false while it has to be looked up, and when it blocks n.
func (w *World) resolveUser(n *Node, a *schema.Attr, r *schema.Ref) bool {
	if r.ID != "" {
		return true
	}
	kind := w.Kind(a.RefKind())
	reading, ok := w.Lookup(AskFor(kind, r))
	if !ok {
		return false
	}
	o, why := ObjectOf(kind, r, reading)
	if was := n.appliedID(a, r); reading.State == schema.Absent && was != "" {
		followed, ok := w.Lookup(schema.Ask{Kind: kind, ID: was})
		if !ok {
			return false
		}
		if len(followed.Objects) > 0 {
			o, why = followed.Objects[0], ""
			w.Note("%s %s is now called %s, and hew follows it. Write the new name in %s.", kind.Name, r.Path,
				KeyTitle(o), n.want.Addr)
		}
	}
	if why != "" {
		n.Block(why)
		return false
	}
	r.ID = o.ID
	return true
}

// compareMeaning records a name that meant another account or group when it was applied. It returns
// false while the present name of that one has to be looked up.
func (w *World) compareMeaning(n *Node, a *schema.Attr, r *schema.Ref) bool {
	was := n.appliedID(a, r)
	if was == "" || r.ID == "" || was == r.ID {
		return true
	}
	reading, ok := w.Lookup(schema.Ask{Kind: w.Kind(a.RefKind()), ID: was})
	if !ok {
		return false
	}
	m := plan.Renamed{Attr: a, Name: r.Path, Was: was, Is: r.ID}
	if len(reading.Objects) > 0 {
		m.Called = KeyTitle(reading.Objects[0])
	}
	if !slices.Contains(n.renamed, m) {
		n.renamed = append(n.renamed, m)
	}
	return true
}

// appliedID returns the id that the name of a reference meant when n was applied last, or "".
func (n *Node) appliedID(a *schema.Attr, r *schema.Ref) string {
	meant := n.meant
	if n.entry != nil {
		meant = n.entry.Meant
	}
	return meant[MeantKey(a, r)]
}

// MeantKey returns the key of a reference in ledger.Entry.Meant, or "" for one that names nothing
// outside the configuration.
func MeantKey(a *schema.Attr, r *schema.Ref) string {
	if r.Path == "" || r.Addr != "" {
		return ""
	}
	return a.RefKind() + " " + strings.ToLower(r.Path)
}

// Renamed returns the names that mean other accounts or groups than when n was applied last.
func (n *Node) Renamed() []plan.Renamed { return slices.Clone(n.renamed) }
