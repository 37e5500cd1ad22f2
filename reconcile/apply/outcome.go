package apply

import (
	"errors"
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/reconcile/plan"
)

// Outcome is the result of an apply.
type Outcome struct {
	Done     []plan.Change // applied, and postconditions hold
	Recorded []plan.Change // written only to the ledger: adoptions, moves, releases
	Failed   []Failure
	Skipped  []Failure // dependents of a failure, or not started when interrupted
	Notes    []string
	Outputs  []config.Output
	Checks   []config.Check // evaluated after apply
	// Interrupted reports that ctx was cancelled. Changes in flight were finished, the rest was not
	// started.
	Interrupted bool
	Requests    int
	Seconds     float64
}

// Failure is a change that was not applied, and why.
type Failure struct {
	Change plan.Change
	Err    error
	// Made reports that the change was applied and recorded, and a postcondition failed.
	Made bool
}

// outcome returns the changes among the nodes of a graph report. The graph also has nodes without
// changes.
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
			out.Skipped = append(out.Skipped, Failure{Change: *c, Err: fmt.Errorf("not started because %s failed",
				s.Cause)})
		}
	}
	for _, k := range rep.Unstarted {
		if c := j.changes[k]; c != nil {
			out.Skipped = append(out.Skipped,
				Failure{Change: *c, Err: errors.New("not started because the run was interrupted")})
		}
	}
	return out
}
