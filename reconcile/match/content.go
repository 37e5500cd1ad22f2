package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/schema"
)

// Contents returns the titles of the objects that the host deletes along with an object and that
// have no change of their own. The list is complete once no more readings are wanted.
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
			titles = append(titles, fmt.Sprintf("every %s of %s (cannot be read)", in.Name, title))
			continue
		}
		for _, o := range c.objs {
			self := IdentityOf(in, coll, o.ID)
			if w.deletes[self] || o.State == schema.PendingDeletion || w.movesOut(self, o) {
				continue
			}
			titles = append(append(titles, KeyTitle(o)), w.Contents(in, o.ID, KeyTitle(o))...)
		}
	}
	return titles
}

// movesOut reports whether a live object is declared under another path: it moves there before its
// owner is deleted.
func (w *World) movesOut(self Identity, o schema.Object) bool {
	n := w.claimed[self]
	return n != nil && n.Path() != "" && !strings.EqualFold(n.Path(), KeyTitle(o))
}

// ReadContents requests the contents of all orphans that are deleted.
func (w *World) ReadContents() {
	for _, o := range w.orphans {
		if o.action == Remove && o.kind.Tree != nil {
			w.Contents(o.kind, o.entry.ID, o.entry.Key)
		}
	}
}

// OwnerKind returns the kind of the owner of objects of kind k, or "" if they have none.
func OwnerKind(k *schema.Kind) string {
	if a := k.Owner(); a != nil {
		return a.RefKind()
	}
	return ""
}
