package change

import (
	"context"
	"fmt"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// BlockTaken blocks the declared objects that would take a name from an object that keeps it in
// this plan, and those whose changes wait for each other, as when names are exchanged. For drift,
// it records these obstacles in the changes. It calls read for each wave of reads, and returns its
// error.
func (b *Builder) BlockTaken(ctx context.Context, changes []plan.Change, read func(context.Context) error) error {
	for more := true; more; {
		if b.held == nil {
			b.held = map[match.Identity]string{}
		}
		h := holders{world: b.World, held: b.held, freed: map[plan.Name]bool{},
			live: map[schema.Collection]map[plan.Name]string{}, drift: b.Drift,
			frees: map[match.Identity]bool{}, below: map[place][]*match.Collection{}}
		for i := range changes {
			c := &changes[i]
			if !c.Changes() {
				continue
			}
			for _, name := range c.Frees() {
				h.freed[name] = true
			}
			if len(c.AncestryFreed()) > 0 {
				h.frees[match.IdentityOf(c.Kind, c.Collection, c.Before.ID)] = true
			}
		}
		h.blockCycles(changes)
		for i := range changes {
			if changes[i].Changes() {
				h.check(&changes[i])
			}
		}
		if more = b.World.WantsReading(); more {
			if err := read(ctx); err != nil {
				return err
			}
			b.World.ForgetWanted()
		}
	}
	return nil
}

// holders finds the live objects that hold names.
type holders struct {
	world *match.World
	freed map[plan.Name]bool        // by the changes of declared objects
	held  map[match.Identity]string // see Builder
	live  map[schema.Collection]map[plan.Name]string
	drift bool // record obstacles, block nothing

	frees map[match.Identity]bool // objects that change their name along a tree of groups
	below map[place][]*match.Collection
}

// check blocks the object of a change that takes a name which another one keeps.
func (h *holders) check(c *plan.Change) {
	if c.Obstacle != "" || h.world.Node(c.Addr).Status() == match.Blocked {
		return
	}
	for _, name := range c.Takes() {
		if h.freed[name] {
			continue
		}
		o, in, ok := h.holder(c, name)
		if !ok && name.IsPath() && h.world.WantsReading() {
			return // the path is what the configuration says; other names only follow from it
		}
		if !ok || o.Kind == c.Kind && o.ID == c.Before.ID {
			continue
		}
		if why := h.keeps(c, name, in, o); why != "" {
			h.obstruct(c, fmt.Sprintf("its %s belongs to %s %s (id %s), %s", c.Describe(name), o.Kind.Name,
				match.KeyTitle(o), o.ID, why))
			return
		}
	}
	h.checkAncestry(c)
}

// holder returns the live object that has a name, and its collection. It also returns false while
// that has to be read.
func (h *holders) holder(c *plan.Change, name plan.Name) (o schema.Object, in schema.Collection, ok bool) {
	if !name.IsPath() {
		return h.named(h.world.CollectionAt(c.FinalCollection()), name)
	}
	if c.Action != plan.Create { // else it was looked up by its path
		r, ok := h.world.Lookup(schema.Ask{Kind: c.Kind, Key: c.Path(c.After)})
		if ok && len(r.Objects) > 0 && r.State != schema.Moved {
			return r.Objects[0], match.LiveCollection(c.Kind, r.Objects[0]), true
		}
	}
	owner := h.world.Node(c.Addr).Owner()
	switch {
	case owner == nil:
		return h.topLevel(c)
	case owner.ID == "":
		return o, in, false
	}
	// Groups and projects share the paths in a group.
	for _, k := range h.beside(c.Kind) {
		if o, in, ok := h.named(h.world.List(k, k.In(owner.ID)), name); ok {
			return o, in, true
		}
	}
	return o, in, false
}

// topLevel returns the live object of another kind that has the top-level path which a change
// takes: groups and users share these paths. It asks for that path alone.
func (h *holders) topLevel(c *plan.Change) (o schema.Object, in schema.Collection, ok bool) {
	for _, k := range h.world.Kinds.Resources {
		if k == c.Kind || k.Tree == nil || k.Root == "" {
			continue
		}
		r, ok := h.world.Lookup(schema.Ask{Kind: k, Key: c.Path(c.After)})
		if ok && len(r.Objects) > 0 && r.State != schema.Moved {
			return r.Objects[0], match.LiveCollection(k, r.Objects[0]), true
		}
	}
	return o, in, false
}

// beside returns the other kinds whose objects have paths in the owner of a kind.
func (h *holders) beside(k *schema.Kind) (kinds []*schema.Kind) {
	for _, other := range h.world.Kinds.Resources {
		if other != k && other.Tree != nil && other.Owner() != nil && other.Owner().RefKind() == k.Owner().RefKind() {
			kinds = append(kinds, other)
		}
	}
	return kinds
}

// named returns the object of a collection that has a name. It returns false for nil.
func (h *holders) named(list *match.Collection, name plan.Name) (o schema.Object, in schema.Collection, ok bool) {
	if list == nil {
		return o, in, false
	}
	in = list.Location()
	names := h.live[in]
	if names == nil {
		names = map[plan.Name]string{}
		for _, o := range list.Objects() {
			for _, held := range plan.NamesOf(o, in) {
				names[held] = o.ID
			}
		}
		h.live[in] = names
	}
	o, ok = list.Find(names[name])
	return o, in, ok
}

// keeps returns why an object keeps its names in this plan, and what to do about it, or "" if it is
// deleted.
func (h *holders) keeps(c *plan.Change, name plan.Name, in schema.Collection, o schema.Object) string {
	w, k := h.world, o.Kind
	id := match.IdentityOf(k, in, o.ID)
	const instead = "choose another, or rename or delete that object first"
	switch n := w.DeclaredAs(id); {
	case o.State == schema.PendingDeletion:
		return "which is marked for deletion; wait until the host has deleted it permanently, restore it, or choose " +
			"another"
	case n != nil:
		return fmt.Sprintf("which keeps it as %s; %s", n.Addr(), instead)
	case w.WillDelete(id) && k.Soft:
		h.held[id] = fmt.Sprintf("%s declares its %s, and a deletion would not free that", c.Addr,
			c.Describe(name))
		return "which is no longer declared. The host only marks it for deletion, and it keeps its names until it is " +
			"gone: declare it with another path first and apply, then remove it"
	case w.WillDelete(id) || h.isRemovedStray(k, in, o):
		return ""
	}
	if at, managed := w.Ledger.Find(in.String(), o.ID); managed {
		return fmt.Sprintf("which this plan leaves as it is (%s in the ledger); %s", at, instead)
	}
	here := k == c.Kind && (name.IsPath() || in.Path == c.FinalCollection().Path)
	if c.Entry != nil && here && name.IsKey(k) && !c.UndoesRename() {
		return fmt.Sprintf("which hew does not manage; choose another or delete that object, or run hew ledger rm "+
			"%s to adopt it", w.LedgerAddress(c.Addr))
	}
	return "which hew does not manage; choose another, or rename or delete that object"
}

// isRemovedStray reports whether an exclusive block or set deletes the object in this plan.
func (h *holders) isRemovedStray(k *schema.Kind, in schema.Collection, o schema.Object) bool {
	for x, s := range h.world.Claims() {
		if x.Kind != k || s.Collection().Path != in.Path {
			continue
		}
		if objs, _ := h.world.Strays(x, h.world.Unmatched()); containsID(objs, o.ID) {
			return h.world.KeepReason(k, o) == ""
		}
	}
	return false
}

func containsID(objs []schema.Object, id string) bool {
	for _, o := range objs {
		if o.ID == id {
			return true
		}
	}
	return false
}
