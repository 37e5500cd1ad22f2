package reconcile

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// spot is where objects of a kind are listed.
type spot struct {
	kind *schema.Kind
	coll schema.Collection
}

// beside lists the objects that nobody declares in the collections where others
// of their kind are declared. Those are read anyway; what an exclusive block
// claims is deleted from there and is a change, and what is a bot's or kept by a
// directory is nobody's to declare.
func (r *Run) beside(p *plan.Plan) {
	w := r.world
	unplaced := w.unplaced()
	for at, owner := range w.shared() {
		c := w.colls[at.coll]
		if c == nil || c.state != schema.Present {
			continue
		}
		if why := w.uncertain(at.kind, at.coll, unplaced); why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("Nobody can tell what of %s in %s is a stray: %s, and what it declares may be there.", at.kind.Name, owner, why))
			continue
		}
		for _, o := range c.objs {
			if o.Kind == at.kind && w.unmanaged(at, o) {
				p.Strays = append(p.Strays, plan.Stray{Object: o, Title: discreet(keyTitle(o)), Owner: owner})
			}
		}
	}
	slices.SortFunc(p.Strays, func(a, b plan.Stray) int {
		return cmp.Or(cmp.Compare(a.Object.Kind.Name, b.Object.Kind.Name), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Title, b.Title), cmp.Compare(a.Object.ID, b.Object.ID))
	})
}

// discreet is the title of something that others have made, without what may be
// their secret: the values in the query of a URL.
func discreet(title string) string {
	u, err := url.Parse(title)
	if err != nil || u.Scheme == "" || u.RawQuery == "" {
		return title
	}
	var names []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name+"=…")
	}
	before, _, _ := strings.Cut(title, "?")
	return before + "?" + strings.Join(names, "&")
}

// shared are the places of what is declared, with the titles of their owners,
// but for those that an exclusive block claims.
func (w *world) shared() map[spot]string {
	spots := map[spot]string{}
	for _, n := range w.order {
		if n.kind().Holds == schema.Many && n.coll != (schema.Collection{}) {
			spots[spot{n.kind(), n.coll}] = n.ownerTitle()
		}
	}
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		delete(spots, spot{x.Kind, w.claimants[x.Addr].coll})
	}
	return spots
}

// unmanaged tells whether neither the configuration nor the ledger knows an
// object, and people could declare it.
func (w *world) unmanaged(at spot, o schema.Object) bool {
	if w.claims[identityOf(at.kind, at.coll, o.ID)] != nil || o.State == schema.PendingDeletion || at.kind.SparesNoted() && o.Note != "" {
		return false
	}
	_, known := w.led.Find(at.coll.String(), o.ID)
	return !known
}
