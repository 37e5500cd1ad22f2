package apply

import (
	"context"
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

// finalObject returns the declared object with all values known. References fill themselves in;
// other unknown values are evaluated again, and so are all values of a block with preconditions,
// which may refer to other objects.
func (j *Job) finalObject(c *plan.Change) (schema.Object, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before, _ := hasConditions(c)
	if !before {
		if isKnown(c.After) {
			return c.After, nil
		}
		// If many instances waited for one object, the first one has all of them evaluated.
		if want, err := j.reevaluate(c); err == nil && want.Kind != nil && isKnown(want) {
			return want, checkUnchanged(c.After, want)
		}
	}
	want, err := j.reevaluate(c, j.World.DrainStale()...)
	switch {
	case err != nil:
		return schema.Object{}, err
	case want.Kind == nil:
		return schema.Object{}, fmt.Errorf("the plan is stale: with the values from this run, for_each or count no "+
			"longer includes %s; run hew plan again", c.Addr)
	case !isKnown(want):
		return schema.Object{}, fmt.Errorf("%s still has unknown values after all its dependencies were applied; run "+
			"hew plan again", c.Addr)
	}
	return want, checkUnchanged(c.After, want)
}

// reevaluate returns the declared object from a new evaluation, given the stale blocks. It returns
// an object without a kind if it is no longer declared.
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

// isKnown reports whether all values are known.
func isKnown(o schema.Object) bool {
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

// checkUnchanged returns an error if a known value differs from the planned one. An unknown value
// may become known, but a known value must not change.
func checkUnchanged(planned, final schema.Object) error {
	for attr, v := range planned.Value.All() {
		if attr.Mode == schema.Computed || schema.Refs(v) != nil || !attr.Canonical(v).IsWhollyKnown() {
			continue
		}
		if !attr.Equal(v, final.Get(attr.Name)) {
			return fmt.Errorf("the plan is stale: %s differs from its planned value; run hew plan again", attr.Name)
		}
	}
	return nil
}

// postconditionError is the failure of a postcondition. The change itself was applied.
type postconditionError struct{ error }

// Error returns the failed condition, after the fact that the change was applied.
func (p postconditionError) Error() string { return "applied and recorded, but " + p.error.Error() }

// recordCreated records in the world that the object exists.
func (j *Job) recordCreated(c *plan.Change, o schema.Object) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.World.MarkCreated(c.Addr, o)
}

// checkPostconditions checks the postconditions of the changed object's block.
func (j *Job) checkPostconditions(c *plan.Change) error {
	if _, after := hasConditions(c); !after {
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

// hasConditions reports whether the block has preconditions and postconditions.
func hasConditions(c *plan.Change) (before, after bool) {
	if c.Desired() == nil || c.Desired().Block == nil {
		return false, false
	}
	return c.Desired().Block.HasConditions()
}

// evaluateOutputs evaluates outputs and checks again, with the values known after apply.
func (j *Job) evaluateOutputs(ctx context.Context, out *Outcome) {
	out.Outputs, out.Checks = j.Plan.Outputs, j.Plan.Checks
	if len(out.Outputs)+len(out.Checks) == 0 {
		return
	}
	res, diags := j.Eval.Run(context.WithoutCancel(ctx), j.Oracle, j.World.DrainStale()...)
	out.Checks = res.Checks
	switch {
	case !diags.HasErrors():
		out.Outputs = res.Outputs
	case len(out.Outputs) > 0:
		out.Notes = append(
			out.Notes, "Outputs could not be evaluated after apply and show their planned values: "+diags.Error(),
		)
	}
}
