package apply

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

// finalObject returns the declared object with everything known that this run
// has made.
// References fill themselves; other unknown values are evaluated again, and so
// is what has preconditions, which may be about others.
func (j *Job) finalObject(c *plan.Change) (schema.Object, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before, _ := conditioned(c)
	if !before {
		if whollyKnown(c.After) {
			return c.After, nil
		}
		// Of many instances that waited for one thing, the first has all of them
		// evaluated again.
		if want, err := j.reevaluate(c); err == nil && want.Kind != nil && whollyKnown(want) {
			return want, checkUnchanged(c.After, want)
		}
	}
	want, err := j.reevaluate(c, j.World.DrainStale()...)
	switch {
	case err != nil:
		return schema.Object{}, err
	case want.Kind == nil:
		return schema.Object{}, fmt.Errorf("%s is not declared any more now that more is known; the plan is stale, "+
			"plan again", c.Addr)
	case !whollyKnown(want):
		return schema.Object{}, fmt.Errorf("%s still has unknown values although everything it depends on is done; "+
			"plan again", c.Addr)
	}
	return want, checkUnchanged(c.After, want)
}

// reevaluate returns the declared object as the evaluation has it now, after what
// the blocks with news brought; without a kind if it is not declared any more.
func (j *Job) reevaluate(c *plan.Change, news ...addr.Block) (schema.Object, error) {
	d, diags := j.Eval.Instance(j.Oracle, c.Addr, news...)
	if diags.HasErrors() {
		return schema.Object{}, diags
	}
	if d == nil {
		return schema.Object{}, nil
	}
	return j.World.Redeclare(d), nil
}

// whollyKnown reports whether every value is known.
func whollyKnown(o schema.Object) bool {
	for attr, v := range o.Value.All() {
		if attr.Mode == schema.Computed || v.IsNull() || schema.IsSpent(v) {
			continue
		}
		if !attr.Known(v) {
			return false
		}
	}
	return true
}

// checkUnchanged refuses a value that is not what the plan showed: it may become known,
// never different.
func checkUnchanged(planned, final schema.Object) error {
	for attr, v := range planned.Value.All() {
		if attr.Mode == schema.Computed || schema.Refs(v) != nil || !attr.Canonical(v).IsWhollyKnown() {
			continue
		}
		if !attr.Equal(v, final.Get(attr.Name)) {
			return fmt.Errorf("the plan is stale: %s is no longer what it showed; plan again", attr.Name)
		}
	}
	return nil
}

// postconditionError is the failure of a postcondition, of what is written all the
// same.
type postconditionError struct{ error }

// Error returns what failed, after what was done.
func (p postconditionError) Error() string { return "done and recorded, but " + p.error.Error() }

// recordCreated tells the rest of the run that the object exists.
func (j *Job) recordCreated(c *plan.Change, o schema.Object) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.World.MarkCreated(c.Addr, o)
}

// verify holds what was written to the postconditions of its block.
func (j *Job) verify(c *plan.Change) error {
	if _, after := conditioned(c); !after {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	_, diags := j.Eval.Instance(j.Oracle, c.Addr, j.World.DrainStale()...)
	if !diags.HasErrors() {
		diags = j.Eval.Verify(j.Oracle, c.Addr)
	}
	if diags.HasErrors() {
		return postconditionError{diags}
	}
	return nil
}

// conditioned reports whether the block has pre- and postconditions.
func conditioned(c *plan.Change) (before, after bool) {
	if c.Desired() == nil || c.Desired().Block == nil {
		return false, false
	}
	return c.Desired().Block.Conditioned()
}

// finish evaluates outputs and checks once more, with what the run has made.
func (j *Job) finish(out *Outcome) {
	out.Outputs, out.Checks = j.Plan.Outputs, j.Plan.Checks
	if len(out.Outputs)+len(out.Checks) == 0 {
		return
	}
	res, diags := j.Eval.Run(j.Oracle, j.World.DrainStale()...)
	out.Checks = res.Checks
	switch {
	case !diags.HasErrors():
		out.Outputs = res.Outputs
	case len(out.Outputs) > 0:
		out.Notes = append(out.Notes, "Outputs are as they were planned: "+diags.Error())
	}
}
