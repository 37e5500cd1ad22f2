package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/schema"
)

// Contents returns the titles of what is in a thing that is deleted and has no
// change of its own: the host deletes it along with the thing. The list is whole
// once nothing more has to be read for it.
func (w *World) Contents(k *schema.Kind, id, title string) (titles []string) {
	for _, name := range slices.Sorted(maps.Keys(w.Kinds.Resources)) {
		in := w.Kinds.Resources[name]
		if in.Tree == nil || OwnerKind(in) != k.Name {
			continue
		}
		coll := in.In(id)
		c := w.List(in, coll)
		switch {
		case c == nil:
			continue
		case c.state == schema.Forbidden || c.state == schema.Unsupported || c.err != nil:
			titles = append(titles, fmt.Sprintf("each %s of %s (they cannot be read)", in.Name, title))
			continue
		}
		for _, o := range c.objs {
			self := IdentityOf(in, coll, o.ID)
			if w.leaves[self] || o.State == schema.PendingDeletion || w.movesOut(self, o) {
				continue
			}
			titles = append(append(titles, KeyTitle(o)), w.Contents(in, o.ID, KeyTitle(o))...)
		}
	}
	return titles
}

// movesOut reports whether a live thing is declared elsewhere than it is: it moves
// out before what it is in goes.
func (w *World) movesOut(self Identity, o schema.Object) bool {
	n := w.claimed[self]
	return n != nil && n.Path() != "" && !strings.EqualFold(n.Path(), KeyTitle(o))
}

// ReadContents reads what is in the things that go.
func (w *World) ReadContents() {
	for _, o := range w.orphans {
		if o.fate == Remove && o.kind.Tree != nil {
			w.Contents(o.kind, o.entry.ID, o.entry.Key)
		}
	}
}

// OwnerKind returns the kind of the owner of objects of a kind, "" for none.
func OwnerKind(k *schema.Kind) string {
	if a := k.Owner(); a != nil {
		return a.RefKind()
	}
	return ""
}
