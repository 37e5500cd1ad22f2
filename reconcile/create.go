package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// sighting is an object that is there, and all that its collection has beside it.
type sighting struct {
	schema.Object
	beside []schema.Object
}

// create makes an object. The intent is in the ledger before the request is
// sent, so that a run killed in between knows the object for its own when it
// finds it.
func (a *apply) create(ctx context.Context, c *plan.Change, want schema.Object) error {
	if c.AdoptsIfFound {
		switch live, there, err := a.again(ctx, c, want); {
		case err != nil:
			return fmt.Errorf("%w; it may be there, and must not be made twice", err)
		case there:
			return a.adopt(ctx, c, want, live)
		}
	}
	pending := a.entry(c, want, "")
	pending.Pending, pending.Owned = true, nil
	if err := a.save(ctx, c.Addr, pending); err != nil {
		return err
	}
	made, err := a.eng.Writer.Create(ctx, want)
	if errors.Is(err, schema.ErrExists) {
		live, there, unread := a.again(ctx, c, want)
		if there {
			return a.adopt(ctx, c, want, live)
		}
		err = errors.Join(err, unread)
	}
	if made.ID == "" {
		if errors.Is(err, schema.ErrUnknown) {
			return err // the intent stays: what the next run finds under the key is ours
		}
		if err == nil {
			err = errors.New("the host answered without an id")
		}
		return errors.Join(err, a.undo(ctx, c))
	}
	a.recordCreated(c, made)
	entry := a.entry(c, want, made.ID)
	entry.Created = true
	if err != nil {
		entry.Owned = nil // it exists, not as declared; the next run compares it afresh
	}
	entry.Pending = errors.Is(err, schema.ErrUnseen)
	return errors.Join(err, a.save(ctx, c.Addr, entry))
}

// undo takes the intent back where the host made nothing; something managed
// before keeps its entry.
func (a *apply) undo(ctx context.Context, c *plan.Change) error {
	if c.Entry != nil {
		return a.save(ctx, c.Addr, *c.Entry)
	}
	return a.forget(ctx, c.Addr)
}

// adopt takes over an object that was there after all: made by another run, or
// found under a key that only apply knew.
func (a *apply) adopt(ctx context.Context, c *plan.Change, want schema.Object, live sighting) error {
	d := *c.Desired
	d.Object = want
	paths := a.differ.Diff(&d, live.Object, nil)
	err := a.unguarded(c, want, live, paths)
	if plan.Replaces(paths) {
		err = fmt.Errorf("%s exists already and differs in something that cannot be changed (%v); delete it or change the configuration", c.Addr, plan.Names(paths))
	}
	if err != nil {
		return errors.Join(err, a.undo(ctx, c))
	}
	a.mu.Lock()
	a.notes = append(a.notes, fmt.Sprintf("%s was there already and is adopted.", c.Addr))
	c.Action = plan.Adopt // what it came to, for whoever tells of it, and for guards of what is beside it
	a.mu.Unlock()
	a.recordCreated(c, live.Object)
	return a.update(ctx, c, want, live.Object, paths)
}

// unguarded lets the guards look at a change that no plan has shown: what was to
// be created is there, and would become another.
func (a *apply) unguarded(c *plan.Change, want schema.Object, live sighting, paths []plan.PathChange) error {
	if len(paths) == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	coll := collectionOf(c, want)
	var p plan.Plan
	for _, o := range a.Plan.Changes {
		if o.Owner != c.Owner || o.Collection != c.Collection {
			continue // of what is elsewhere all has been seen
		}
		if o.Addr == c.Addr {
			o.Action, o.Before, o.After, o.Paths = plan.Adopt, live.Object, want, paths
		}
		o.Collection = coll
		p.Changes = append(p.Changes, o)
	}
	p.Guard(&plan.Facts{Limits: a.cfg.Hew().Guards, Self: a.world.self, Live: map[schema.Collection][]schema.Object{coll: live.beside}})
	for _, f := range p.Guards {
		if slices.Contains(f.Objects, c.Addr.String()) {
			return fmt.Errorf("it was there already, otherwise than declared (%s), which the plan could not show, and the guard %s stops that: %s Nothing of it was changed; plan again to see it",
				strings.Join(plan.Names(paths), ", "), f.Code, f.Text)
		}
	}
	return nil
}
