package change

import (
	"cmp"
	"fmt"
	"slices"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// kindCollection is the objects of one kind in a collection.
type kindCollection struct {
	kind *schema.Kind
	coll schema.Collection
}

// addUndeclared adds the undeclared objects to a plan from the collections that have managed ones,
// which are read anyway. It omits collections that exclusive blocks claim, whose strays are
// changes, and objects that cannot be declared, such as bots and members synced from a directory.
func (b *Builder) addUndeclared(p *plan.Plan) {
	w := b.World
	unmatched := w.Unmatched()
	for at, owner := range b.unclaimedCollections() {
		c := w.CollectionAt(at.coll)
		if c == nil || !c.Present() {
			continue
		}
		if why := w.Unrecognizable(at.kind, at.coll, unmatched); why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("Cannot list undeclared %s objects in %s: %s, so its live objects "+
				"may look undeclared.", at.kind.Name, owner, why))
			continue
		}
		for _, o := range c.Objects() {
			if o.Kind == at.kind && b.isUndeclared(at, o) {
				p.Undeclared = append(p.Undeclared,
					plan.Undeclared{Object: o, Title: match.UndeclaredTitle(o), Owner: owner})
			}
		}
	}
	slices.SortFunc(p.Undeclared, func(a, b plan.Undeclared) int {
		return cmp.Or(cmp.Compare(a.Object.Kind.Name, b.Object.Kind.Name), cmp.Compare(a.Owner, b.Owner),
			cmp.Compare(a.Title, b.Title), cmp.Compare(a.Object.ID, b.Object.ID))
	})
}

// unclaimedCollections returns the collections with declared objects that no exclusive block
// claims, with the titles of their owners.
func (b *Builder) unclaimedCollections() map[kindCollection]string {
	places := map[kindCollection]string{}
	for _, n := range b.World.Planned() {
		if n.Kind().Holds == schema.Many && n.Collection() != (schema.Collection{}) {
			places[kindCollection{n.Kind(), n.Collection()}] = b.World.OwnerTitle(&n.Declaration)
		}
	}
	for x, s := range b.World.Claims() {
		delete(places, kindCollection{x.Kind, s.Collection()})
	}
	return places
}

// isUndeclared reports whether an object is in neither the configuration nor the ledger, and could
// be declared.
func (b *Builder) isUndeclared(at kindCollection, o schema.Object) bool {
	w := b.World
	if w.DeclaredAs(match.IdentityOf(at.kind, at.coll, o.ID)) != nil || o.State == schema.PendingDeletion ||
		at.kind.SparesNoted() && o.Note != "" {
		return false
	}
	_, known := w.Ledger.Find(at.coll.String(), o.ID)
	return !known
}
