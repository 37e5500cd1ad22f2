package change

import (
	"context"
	"fmt"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// BlockTaken blocks the declared objects that would take a name from an object that keeps it in this
// plan. It calls read for each wave of reads, and returns its error.
func (b *Builder) BlockTaken(ctx context.Context, changes []plan.Change, read func(context.Context) error) error {
	for more := true; more; {
		h := holders{world: b.World, freed: map[plan.Name]bool{}, live: map[schema.Collection]map[plan.Name]string{}}
		for i := range changes {
			if changes[i].Changes() {
				for _, name := range changes[i].Frees() {
					h.freed[name] = true
				}
			}
		}
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
	freed map[plan.Name]bool // by the changes of declared objects
	live  map[schema.Collection]map[plan.Name]string
}

// check blocks the object of a change that takes a name which another one keeps.
func (h *holders) check(c *plan.Change) {
	n := h.world.Node(c.Addr)
	if n.Status() == match.Blocked {
		return
	}
	for _, name := range c.Takes() {
		if h.freed[name] {
			continue
		}
		o, in, ok := h.holder(c, name)
		if !ok || o.ID == c.Before.ID {
			continue
		}
		if why := h.keeps(c.Kind, in, o); why != "" {
			n.Block(fmt.Sprintf("%s %s cannot have %s: %s", c.Kind.Name, n.Title(), name.Describe(), why))
			return
		}
	}
}

// holder returns the live object of the change's kind that has a name, and its collection. It also
// returns false while that has to be read.
func (h *holders) holder(c *plan.Change, name plan.Name) (o schema.Object, in schema.Collection, ok bool) {
	if name.IsPath() {
		if c.Action == plan.Create {
			return o, in, false // it was looked up by its path
		}
		r, ok := h.world.Lookup(schema.Ask{Kind: c.Kind, Key: c.Path(c.After)})
		if !ok || len(r.Objects) == 0 || r.State == schema.Moved {
			return o, in, false
		}
		return r.Objects[0], match.LiveCollection(c.Kind, r.Objects[0]), true
	}
	in = c.FinalCollection()
	list := h.world.CollectionAt(in)
	if list == nil {
		return o, in, false
	}
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
func (h *holders) keeps(k *schema.Kind, in schema.Collection, o schema.Object) string {
	w, title := h.world, fmt.Sprintf("%s %s (id %s)", k.Name, match.KeyTitle(o), o.ID)
	id := match.IdentityOf(k, in, o.ID)
	const instead = "choose another name, or rename or delete the other one first"
	switch n := w.DeclaredAs(id); {
	case o.State == schema.PendingDeletion:
		return fmt.Sprintf("%s has it and is marked for deletion. Wait until the host has deleted it permanently, "+
			"restore it, or choose another name", title)
	case n != nil:
		return fmt.Sprintf("%s has it, and %s keeps it; %s", title, n.Addr(), instead)
	case w.WillDelete(id) && k.Soft:
		return fmt.Sprintf("%s has it, and this plan only marks it for deletion: the host keeps its path until it has "+
			"deleted it permanently. Choose another path, or plan again after that", title)
	case w.WillDelete(id):
		return ""
	}
	for x, s := range w.Claims() {
		if x.Kind != k || s.Collection().Path != in.Path {
			continue
		}
		if objs, _ := w.Strays(x, w.Unmatched()); containsID(objs, o.ID) && w.KeepReason(k, o) == "" {
			return ""
		}
	}
	if at, managed := w.Ledger.Find(in.String(), o.ID); managed {
		return fmt.Sprintf("%s has it, and this plan leaves %s as it is; %s", title, at, instead)
	}
	return fmt.Sprintf("%s has it, and hew does not manage that object. Delete it or choose another name; to adopt it "+
		"instead of changing the present one, first run hew ledger rm on this address", title)
}

func containsID(objs []schema.Object, id string) bool {
	for _, o := range objs {
		if o.ID == id {
			return true
		}
	}
	return false
}
