package apply

import (
	"context"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

func (j *Job) writeObject(ctx context.Context, c *plan.Change, want schema.Object) error {
	switch c.Action {
	case plan.Create:
		return j.create(ctx, c, want)
	case plan.Replace:
		if err := j.delete(ctx, c); err != nil {
			return err
		}
		creation := *c
		creation.Entry = nil // deleted above
		return j.create(ctx, &creation, want)
	}
	return j.update(ctx, c, want, c.Before, c.Paths)
}

func (j *Job) delete(ctx context.Context, c *plan.Change) error {
	if c.Within() != (addr.Instance{}) {
		return j.forget(ctx, c.Addr) // the host deleted it with its owner
	}
	if err := j.Writer.Delete(ctx, c.Before); err != nil {
		return err
	}
	if c.Entry == nil {
		return nil
	}
	return j.forget(ctx, c.Addr)
}

// reset resets what hew has set on an object that is no longer declared.
func (j *Job) reset(ctx context.Context, c *plan.Change) error {
	if _, err := j.Writer.Update(ctx, c.Before, schema.Assigns(c.After, plan.Names(c.Paths)...)); err != nil {
		return err
	}
	return j.forget(ctx, c.Addr)
}

// update sends the differences and records the object in the ledger.
func (j *Job) update(ctx context.Context, c *plan.Change, want, live schema.Object, paths []plan.PathChange) error {
	entry := j.entry(c, want, live.ID)
	entry.Created = c.Entry != nil && (c.Entry.Created || c.Entry.Pending)
	if len(paths) == 0 && !c.Restore {
		return j.save(ctx, c.Addr, entry)
	}
	to := schema.Object{Kind: want.Kind, ID: live.ID, State: live.State, Value: want.Value.Clone()}
	for attr, v := range want.Value.All() {
		to.Value.Set(attr, plan.KeepIgnored(c.Desired(), attr, v, live))
	}
	for _, p := range paths {
		if v, stated := to.Value.Get(p.Attr.Name); !stated || v.IsNull() {
			to.Value.Set(p.Attr, p.After)
		}
	}
	made, err := j.Writer.Update(ctx, live, schema.Assigns(to, plan.Names(paths)...))
	if err != nil {
		return err
	}
	if made.ID != "" {
		entry.ID = made.ID // of kinds whose id follows an attribute
		j.recordCreated(c, made)
	}
	return j.save(ctx, c.Addr, entry)
}
