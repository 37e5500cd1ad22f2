package report

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// Outcome is what an apply did, nil where there was none.
func (r *Reread) Outcome(j *Outcome) (*apply.Outcome, error) {
	if j == nil {
		return nil, nil
	}
	o := &apply.Outcome{Checks: checksFrom(j.Checks), Notes: j.Notes, Interrupted: j.Interrupted, Requests: j.Requests, Seconds: j.Seconds}
	failure := func(c plan.Change, d Done) apply.Failure {
		return apply.Failure{Change: c, Err: errors.New(d.Error), Made: d.Made}
	}
	for _, list := range []struct {
		from []Done
		take func(c plan.Change, d Done)
	}{
		{j.Done, func(c plan.Change, _ Done) { o.Done = append(o.Done, c) }},
		{j.Recorded, func(c plan.Change, _ Done) { o.Recorded = append(o.Recorded, c) }},
		{j.Failed, func(c plan.Change, d Done) { o.Failed = append(o.Failed, failure(c, d)) }},
		{j.Skipped, func(c plan.Change, d Done) { o.Skipped = append(o.Skipped, failure(c, d)) }},
	} {
		for _, d := range list.from {
			c, err := doneFrom(d)
			if err != nil {
				return nil, fmt.Errorf("outcome: %w", err)
			}
			list.take(c, d)
		}
	}
	return o, nil
}

func doneFrom(j Done) (c plan.Change, err error) {
	c.Decl = rangeOf(j.Declared)
	if c.Action, err = actionNamed(j.Action); err != nil {
		return c, err
	}
	c.Addr, err = addr.Parse(j.Address)
	return c, err
}

func checksFrom(all []Check) []config.Check {
	var out []config.Check
	for _, j := range all {
		c := config.Check{Name: j.Name, Verdict: config.Verdict(j.Status), Text: j.Message}
		if at := rangeOf(j.Declared); at != nil {
			c.Decl = *at
		}
		out = append(out, c)
	}
	return out
}

func actionNamed(name string) (plan.Action, error) {
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt, plan.Move, plan.Release, plan.NoOp} {
		if a.Name() == name {
			return a, nil
		}
	}
	return plan.NoOp, fmt.Errorf("there is no action %q", name)
}

// rangeOf reads file:line:column, nil for what is none.
func rangeOf(place string) *hcl.Range {
	parts := strings.Split(place, ":")
	n := len(parts)
	if n < 3 {
		return nil
	}
	r := &hcl.Range{Filename: strings.Join(parts[:n-2], ":")}
	var errs [2]error
	r.Start.Line, errs[0] = strconv.Atoi(parts[n-2])
	r.Start.Column, errs[1] = strconv.Atoi(parts[n-1])
	if errors.Join(errs[:]...) != nil {
		return nil
	}
	return r
}
