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

// foundObject is an object that exists, and all that its collection holds.
type foundObject struct {
	schema.Object
	collection []schema.Object
}

// create makes an object. The intent is in the ledger before the request is
// sent, so that a run killed in between knows the object for its own when it
// finds it.
func (j *Job) create(ctx context.Context, c *plan.Change, want schema.Object) error {
	if c.AdoptsIfFound {
		switch live, ok, err := j.lookupByKey(ctx, c, want); {
		case err != nil:
			return fmt.Errorf("%w; it may be there, and must not be made twice", err)
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
			return err // the intent stays: what the next run finds under the key is ours
		}
		if err == nil {
			err = errors.New("the host answered without an id")
		}
		return errors.Join(err, j.undoIntent(ctx, c))
	}
	j.recordCreated(c, made)
	entry := j.entry(c, want, made.ID)
	entry.Created = true
	if err != nil {
		entry.Owned = nil // it exists, not as declared; the next run compares it afresh
	}
	entry.Pending = errors.Is(err, schema.ErrUnseen)
	return errors.Join(err, j.save(ctx, c.Addr, entry))
}

// undoIntent takes the intent back where the host made nothing; something managed
// before keeps its entry.
func (j *Job) undoIntent(ctx context.Context, c *plan.Change) error {
	if c.Entry != nil {
		return j.save(ctx, c.Addr, *c.Entry)
	}
	return j.forget(ctx, c.Addr)
}

// adopt takes over an object that was there after all: made by another run, or
// found under a key that only apply knew.
func (j *Job) adopt(ctx context.Context, c *plan.Change, want schema.Object, live foundObject) error {
	d := *c.Desired()
	d.Object = want
	paths := j.differ().Diff(&d, live.Object, nil)
	err := j.checkGuards(c, want, live, paths)
	if plan.Replaces(paths) {
		err = fmt.Errorf("%s exists already and differs in something that cannot be changed (%v); delete it or change "+
			"the configuration", c.Addr, plan.Names(paths))
	}
	if err != nil {
		return errors.Join(err, j.undoIntent(ctx, c))
	}
	j.mu.Lock()
	j.notes = append(j.notes, fmt.Sprintf("%s was there already and is adopted.", c.Addr))
	c.Action = plan.Adopt // what it came to, for whoever tells of it, and for guards of what is beside it
	j.mu.Unlock()
	j.recordCreated(c, live.Object)
	return j.update(ctx, c, want, live.Object, paths)
}

// checkGuards lets the guards look at a change that no plan has shown: what was to
// be created is there, and would become another.
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
			continue // of what is elsewhere all has been seen
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
			return fmt.Errorf("it was there already, otherwise than declared (%s), which the plan could not show, and "+
				"the guard %s stops that: %s Nothing of it was changed; plan again to see it",
				strings.Join(plan.Names(paths), ", "), f.Code, f.Text)
		}
	}
	return nil
}
