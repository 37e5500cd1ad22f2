package change

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// place is where objects of a kind are listed.
type place struct {
	kind *schema.Kind
	coll schema.Collection
}

// unmanaged adds to a plan the objects that nobody declares in the collections
// where others of their kind are declared. Those are read anyway. What an
// exclusive block claims is deleted from there and is a change, and what is a
// bot's or kept by a directory is nobody's to declare.
func (b *Builder) unmanaged(p *plan.Plan) {
	w := b.World
	unplaced := w.Unplaced()
	for at, owner := range b.openPlaces() {
		c := w.CollectionAt(at.coll)
		if c == nil || !c.Present() {
			continue
		}
		if why := w.Unrecognizable(at.kind, at.coll, unplaced); why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("Nobody can tell what of %s in %s is a stray: %s, and what it "+
				"declares may be there.", at.kind.Name, owner, why))
			continue
		}
		for _, o := range c.Objects() {
			if o.Kind == at.kind && b.isUnmanaged(at, o) {
				p.Strays = append(p.Strays, plan.Stray{Object: o, Title: hideQuery(match.KeyTitle(o)), Owner: owner})
			}
		}
	}
	slices.SortFunc(p.Strays, func(a, b plan.Stray) int {
		return cmp.Or(cmp.Compare(a.Object.Kind.Name, b.Object.Kind.Name), cmp.Compare(a.Owner, b.Owner),
			cmp.Compare(a.Title, b.Title), cmp.Compare(a.Object.ID, b.Object.ID))
	})
}

// hideQuery returns the title of something that others have made without what may
// be their secret: the values in the query of a URL.
func hideQuery(title string) string {
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

// openPlaces returns the places of what is declared, with the titles of their
// owners, but for those that an exclusive block claims.
func (b *Builder) openPlaces() map[place]string {
	places := map[place]string{}
	for _, n := range b.World.Planned() {
		if n.Kind().Holds == schema.Many && n.Collection() != (schema.Collection{}) {
			places[place{n.Kind(), n.Collection()}] = n.OwnerTitle()
		}
	}
	for x, s := range b.World.Claims() {
		delete(places, place{x.Kind, s.Collection()})
	}
	return places
}

// isUnmanaged reports whether neither the configuration nor the ledger knows an
// object, and people could declare it.
func (b *Builder) isUnmanaged(at place, o schema.Object) bool {
	w := b.World
	if w.DeclaredAs(match.IdentityOf(at.kind, at.coll, o.ID)) != nil || o.State == schema.PendingDeletion ||
		at.kind.SparesNoted() && o.Note != "" {
		return false
	}
	_, known := w.Ledger.Find(at.coll.String(), o.ID)
	return !known
}
