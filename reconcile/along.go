package reconcile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/schema"
)

// along lists what goes with a thing that is deleted and has no change of its
// own: the host deletes all that is in a group, and asks nobody. It is whole
// once nothing more has to be read for it.
func (w *world) along(k *schema.Kind, id, title string) (titles []string) {
	for _, name := range slices.Sorted(maps.Keys(w.kinds.Resources)) {
		in := w.kinds.Resources[name]
		if in.Tree == nil || ownerKind(in) != k.Name {
			continue
		}
		coll := in.In(id)
		c := w.list(in, coll)
		switch {
		case c == nil:
			continue
		case c.state == schema.Forbidden || c.state == schema.Unsupported || c.err != nil:
			titles = append(titles, fmt.Sprintf("each %s of %s (they cannot be read)", in.Name, title))
			continue
		}
		for _, o := range c.objs {
			self := identityOf(in, coll, o.ID)
			if w.leaves[self] || o.State == schema.PendingDeletion || w.escapes(self, o) {
				continue
			}
			titles = append(append(titles, keyTitle(o)), w.along(in, o.ID, keyTitle(o))...)
		}
	}
	return titles
}

// escapes tells whether a live thing is declared elsewhere than it is: it moves
// out before what it is in goes.
func (w *world) escapes(self identity, o schema.Object) bool {
	n := w.claims[self]
	return n != nil && n.path() != "" && !strings.EqualFold(n.path(), keyTitle(o))
}

// lookInside reads what is in the things that go.
func (w *world) lookInside() {
	for _, o := range w.orphans {
		if o.fate == remove && o.kind.Tree != nil {
			w.along(o.kind, o.entry.ID, o.entry.Key)
		}
	}
}
