package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// foundObject is an object that exists, with all objects of its collection.
type foundObject struct {
	schema.Object
	collection []schema.Object
}

// create creates an object. It writes the intent to the ledger before it sends the request, so that
// after a crash the next run recognizes the object as created by hew.
func (j *Job) create(ctx context.Context, c *plan.Change, want schema.Object) error {
	if c.AdoptsIfFound {
		switch live, ok, err := j.lookupByKey(ctx, c, want); {
		case err != nil:
			return fmt.Errorf("%w; it may exist already, and must not be created twice", err)
		case ok:
			return j.adopt(ctx, c, want, live)
		}
	}
	pending := j.entry(c, want, "")
	pending.Pending, pending.Owned = true, nil
	if err := j.save(ctx, c.Addr, pending); err != nil {
		return err
	}
	made, err := j.Writer.Create(ctx, want)
	if errors.Is(err, schema.ErrExists) {
		live, ok, unread := j.lookupByKey(ctx, c, want)
		if ok {
			return j.adopt(ctx, c, want, live)
		}
		err = errors.Join(err, unread)
	}
	if made.ID == "" {
		if errors.Is(err, schema.ErrUnknown) {
			return err // keep the intent: the next run adopts an object with this key
		}
		if err == nil {
			err = errors.New("the host's response has no id")
		}
		return errors.Join(err, j.undoIntent(ctx, c))
	}
	j.recordCreated(c, made)
	entry := j.entry(c, want, made.ID)
	entry.Created = true
	if err != nil {
		entry.Owned = nil // it exists, but not as declared; the next run compares it again
	}
	entry.Pending = errors.Is(err, schema.ErrUnseen)
	return errors.Join(err, j.save(ctx, c.Addr, entry))
}

// undoIntent removes the intent after the host created nothing. An object that was managed before
// keeps its entry.
func (j *Job) undoIntent(ctx context.Context, c *plan.Change) error {
	if c.Entry != nil {
		return j.save(ctx, c.Addr, *c.Entry)
	}
	return j.forget(ctx, c.Addr)
}

// adopt adopts an object that turned out to exist: another run created it, or its key was known
// only after apply.
func (j *Job) adopt(ctx context.Context, c *plan.Change, want schema.Object, live foundObject) error {
	d := *c.Desired()
	d.Object = want
	paths := j.differ().Diff(&d, live.Object, nil)
	err := j.checkGuards(c, want, live, paths)
	if plan.Replaces(paths) {
		err = fmt.Errorf("%s already exists and differs in attributes that cannot be changed in place (%v); delete "+
			"it, or change the configuration", c.Addr, plan.Names(paths))
	}
	if err != nil {
		return errors.Join(err, j.undoIntent(ctx, c))
	}
	j.mu.Lock()
	j.notes = append(j.notes, fmt.Sprintf("%s already existed and was adopted.", c.Addr))
	c.Action = plan.Adopt // for the outcome, and for later guards on the same collection
	j.mu.Unlock()
	j.recordCreated(c, live.Object)
	return j.update(ctx, c, want, live.Object, paths)
}

// checkGuards runs the guards on a change that the plan could not show: an object to create exists,
// and would be updated instead.
func (j *Job) checkGuards(c *plan.Change, want schema.Object, live foundObject, paths []plan.PathChange) error {
	if len(paths) == 0 {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	coll := collectionOf(c, want)
	var p plan.Plan
	for _, o := range j.Plan.Changes {
		if o.Owner != c.Owner || o.Collection != c.Collection {
			continue // the plan has shown all changes elsewhere
		}
		if o.Addr == c.Addr {
			o.Action, o.Before, o.After, o.Paths = plan.Adopt, live.Object, want, paths
		}
		o.Collection = coll
		p.Changes = append(p.Changes, o)
	}
	p.Guard(&plan.Facts{Limits: j.Limits, Self: j.World.Self,
		Live: map[schema.Collection][]schema.Object{coll: live.collection}})
	for _, f := range p.Guards {
		if slices.Contains(f.Objects, c.Addr.String()) {
			return fmt.Errorf("it already exists with other values than declared (%s), which the plan could not show, "+
				"and the guard %s stops the update: %s It was not changed; run hew plan again to see the update",
				strings.Join(plan.Names(paths), ", "), f.Code, f.Text)
		}
	}
	return nil
}
