package forge

import (
	"context"
	"errors"
	"fmt"

	"hew/server/db"
	"hew/server/forge/hostapi"
	"hew/server/project"
)

// stage is a part of an import, made of steps.
type stage struct {
	name string
	// skips reports whether the stage is left out; nil: never.
	skips func(*run) bool
	// do makes the next step, and returns what it brings. Its stage is empty if the stage is over.
	do func(context.Context, *run) (step, error)
	// end makes the stage's only step instead of do. It calls move in the transaction that stores
	// the step.
	end func(ctx context.Context, r *run, move func(context.Context, *db.Store) error) error
	// lenient stages end without what a host has not given for long, whatever the timeout strategy.
	lenient bool
	// vital stages end the import when the host has not answered for long, whatever the strategy.
	vital bool
}

// continueImport makes the steps of an import that are left, and ends it.
func (r *run) continueImport(ctx context.Context) error {
	stages, began := r.stages(), r.now()
	for n, s := range stages {
		if n < indexOf(stages, r.Stage) {
			continue
		}
		next := stageEnd
		if n+1 < len(stages) {
			next = stages[n+1].name
		}
		for over := s.skips != nil && s.skips(r); ; {
			if over {
				if r.Stage == s.name || r.Stage == "" { // it is skipped
					if err := r.store(ctx, step{stage: next}); err != nil {
						return err
					}
				}
				break
			}
			var err error
			if over, err = r.makeStep(ctx, s, next); err != nil {
				return err
			}
			if r.afterStep != nil {
				if err := r.afterStep(s.name); err != nil {
					return err
				}
			}
			if r.WaitsUntil != nil {
				return nil
			}
			if r.now().Sub(began) > turnTime {
				return r.wait(ctx, r.now())
			}
		}
		if err := r.storeStats(ctx, r.st); err != nil {
			return err
		}
	}
	return r.finish(ctx)
}

// stageEnd is the name of what follows the last stage.
const stageEnd = "end"

func indexOf(stages []stage, name string) int {
	if name == stageEnd {
		return len(stages)
	}
	for n, s := range stages {
		if s.name == name {
			return n
		}
	}
	return 0
}

// makeStep makes a step of a stage, and reports whether the stage is over.
func (r *run) makeStep(ctx context.Context, s stage, next string) (over bool, err error) {
	if s.end != nil {
		err = s.end(ctx, r, func(ctx context.Context, st *db.Store) error { return r.move(ctx, st, next, "") })
		over = err == nil
	} else {
		var made step
		if made, err = s.do(ctx, r); err == nil {
			if over = made.stage == ""; over {
				made.stage = next
			}
			return over, r.store(ctx, made)
		}
	}
	if err == nil || ctx.Err() != nil {
		return over, err
	}
	return r.recover(ctx, s, next, err)
}

// recover goes on after a failed step, if that is possible: later, or with the next stage.
func (r *run) recover(ctx context.Context, s stage, next string, err error) (over bool, _ error) {
	var limit *hostapi.LimitError
	var unavailable *hostapi.UnavailableError
	var refused *hostapi.StatusError
	switch {
	case errors.As(err, &limit):
		r.WaitsUntil = &limit.Until
		return false, r.wait(ctx, limit.Until)
	case errors.As(err, &unavailable) && r.now().Sub(r.ProgressedAt) < stageTime:
		until := r.now().Add(retryAfter)
		r.WaitsUntil = &until
		return false, r.wait(ctx, until)
	case errors.As(err, &unavailable) && (s.vital || !r.Options.Optimistic && !s.lenient):
		return false, endedError(fmt.Sprintf("the stage %s has made no progress for %v: %v", s.name, stageTime, err))
	case errors.As(err, &refused) && refused.Status == 401:
		return false, endedError("the host does not accept the token any more: " + refused.Error())
	case unavailable == nil && refused == nil:
		return false, err
	}
	return true, r.store(ctx, step{stage: next, failures: []project.ImportFailure{r.failure(s.name, 0, err)}})
}

// failure returns the record of what the import cannot have. It is stored with the step that goes
// on without it, so that it is neither lost nor noted down twice.
func (r *run) failure(relation string, number int, err error) project.ImportFailure {
	return project.ImportFailure{
		ProjectID: r.ProjectID, Relation: relation, Line: number, Class: classOf(err),
		Message: r.source.scrub(err.Error()), Source: r.source.Kind,
	}
}

// fail adds what the import cannot have to a step.
func (s *step) fail(r *run, relation string, number int, err error) {
	s.failures = append(s.failures, r.failure(relation, number, err))
}

func classOf(err error) string {
	var refused *hostapi.StatusError
	var unavailable *hostapi.UnavailableError
	switch {
	case errors.As(err, &refused):
		return "StatusError"
	case errors.As(err, &unavailable):
		return "UnavailableError"
	}
	return "Error"
}

// finish ends the import.
func (r *run) finish(ctx context.Context) error {
	return r.st.Tx(ctx, func(st *db.Store) error {
		if err := r.storeStats(ctx, st); err != nil {
			return err
		}
		return project.EndImport(ctx, st, r.task, "")
	})
}
