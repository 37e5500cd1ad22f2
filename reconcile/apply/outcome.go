package apply

import (
	"errors"
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/reconcile/plan"
)

// Outcome is what an apply did.
type Outcome struct {
	Done     []plan.Change // written and verified
	Recorded []plan.Change // what the ledger alone was told: adoptions, new addresses, releases
	Failed   []Failure
	Skipped  []Failure // dependents of a failure, or not begun when interrupted
	Notes    []string
	Outputs  []config.Output
	Checks   []config.Check // as they are when all is done
	// Interrupted: what was in flight was finished, the rest not begun.
	Interrupted bool
	Requests    int
	Seconds     float64
}

// Failure is a change that was not done, and why.
type Failure struct {
	Change plan.Change
	Err    error
	// Made: it was done and is recorded; what failed is a postcondition.
	Made bool
}

// outcome tells of the changes among what the walk reports; the graph holds
// what does not change as well.
func (j *Job) outcome(rep graph.Report[addr.Instance]) *Outcome {
	out := &Outcome{Notes: j.notes, Interrupted: len(rep.Unstarted) > 0}
	for _, c := range j.Plan.Changes {
		if c.Action != plan.NoOp && !c.Changes() {
			out.Recorded = append(out.Recorded, c)
		}
	}
	for _, k := range rep.Done {
		if c := j.changes[k]; c != nil {
			out.Done = append(out.Done, *c)
		}
	}
	for _, f := range rep.Failed {
		var after postconditionError
		out.Failed = append(out.Failed, Failure{*j.changes[f.Node], f.Err, errors.As(f.Err, &after)})
	}
	for _, s := range rep.Skipped {
		if c := j.changes[s.Node]; c != nil {
			out.Skipped = append(out.Skipped, Failure{Change: *c, Err: fmt.Errorf("not begun, since %s failed",
				s.Cause)})
		}
	}
	for _, k := range rep.Unstarted {
		if c := j.changes[k]; c != nil {
			out.Skipped = append(out.Skipped,
				Failure{Change: *c, Err: errors.New("not begun, the run was interrupted")})
		}
	}
	return out
}
