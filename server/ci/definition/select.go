package definition

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hew/server/ci/expression"
)

// Select evaluates the rules of workflow and jobs, and returns the pipeline of a context. The error
// is ErrFiltered, ErrNoJobs, an *Error, that of ctx, or what a function of the context returns.
func (c *Config) Select(ctx context.Context, of Context) (*Pipeline, error) {
	s := newSelection(ctx, c, of)
	pipeline := &Pipeline{AutoCancel: c.Workflow.AutoCancel, Stages: c.Stages}
	workflow, err := s.workflow(pipeline)
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, j := range c.Jobs {
		selected, err := s.job(j, workflow)
		if err != nil {
			return nil, err
		}
		if selected != nil {
			chosen[j.Name] = true
			pipeline.Jobs = append(pipeline.Jobs, selected)
		}
	}
	if err := connect(pipeline.Jobs, chosen); err != nil {
		return nil, err
	}
	for _, j := range pipeline.Jobs {
		if j.Stage != firstStage && j.Stage != lastStage {
			return pipeline, nil
		}
	}
	return nil, ErrNoJobs
}

// connect leaves out needs and dependencies of jobs that the pipeline does not have.
func connect(jobs []*Job, chosen map[string]bool) error {
	for _, j := range jobs {
		if j.needTotal > maxNeeds {
			return located(j.at, fmt.Sprintf("%s: one job can only need %d others, but you have listed %d. "+
				"See needs keyword documentation for more details", j.Name, maxNeeds, j.needTotal))
		}
		needs := j.Needs
		if needs != nil {
			j.Needs = []Need{}
		}
		for _, n := range needs {
			switch {
			case chosen[n.Job]:
				j.Needs = append(j.Needs, n)
			case !n.Optional:
				return located(j.at, fmt.Sprintf("'%s' job needs '%s' job, but '%s' does not exist in the pipeline. "+
					"This might be because of the only, except, or rules keywords. "+
					"To need a job that sometimes does not exist in the pipeline, use needs:optional.",
					j.Name, n.Job, n.Job))
			}
		}
		dependencies := j.Options.Dependencies
		if dependencies != nil {
			j.Options.Dependencies = []string{}
		}
		for _, name := range dependencies {
			if chosen[name] {
				j.Options.Dependencies = append(j.Options.Dependencies, name)
			}
		}
	}
	return nil
}

// workflow evaluates the rules of workflow, and returns the variables of the one that holds.
func (s *selection) workflow(p *Pipeline) ([]expression.Variable, error) {
	top := plainVariables(s.config.Variables)
	var variables []expression.Variable
	if rules := s.config.Workflow.Rules; rules != nil {
		rule, err := s.first(rules, s.scope(nil, top, ""), "workflow")
		if err != nil {
			return nil, err
		}
		if rule == nil || rule.When == Never {
			return nil, ErrFiltered
		}
		variables = rule.Variables
		if rule.AutoCancel.OnNewCommit != "" {
			p.AutoCancel.OnNewCommit = rule.AutoCancel.OnNewCommit
		}
		if rule.AutoCancel.OnJobFailure != "" {
			p.AutoCancel.OnJobFailure = rule.AutoCancel.OnJobFailure
		}
	}
	if s.config.Workflow.Name == "" {
		return variables, nil
	}
	lookup, err := s.scope(nil, merge(variables, top), "").resolved()
	if err != nil {
		return nil, &Error{Text: "workflow:name: " + err.Error()}
	}
	name := []rune(strings.TrimSpace(expression.Expand(s.config.Workflow.Name, lookup)))
	p.Name = string(name[:min(len(name), maxName)])
	return variables, nil
}

// job returns a copy of a job with its rules applied, nil if they leave it out.
func (s *selection) job(j *Job, workflow []expression.Variable) (*Job, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	selected := *j
	selected.Variables = merge(j.own, s.config.inherited(j, workflow))
	scope, err := s.jobScope(&selected)
	if err != nil {
		return nil, err
	}
	if j.Rules == nil {
		holds, err := s.policies(j, scope)
		if err != nil || !holds {
			return nil, err
		}
		return &selected, nil
	}
	rule, err := s.first(j.Rules, scope, j.Name)
	if err != nil || rule == nil {
		return nil, err
	}
	rule.apply(&selected)
	if selected.When == Never {
		return nil, nil
	}
	return &selected, nil
}

// apply gives a job what the rule says.
func (r *Rule) apply(j *Job) {
	if r.When != "" {
		j.When = r.When
	}
	if r.When == Delayed {
		j.StartIn = r.StartIn
	}
	if r.AllowFailure != nil {
		j.AllowFailure, j.AllowExitCodes = r.AllowFailure.Allowed, r.AllowFailure.ExitCodes
	}
	if r.Interruptible != nil {
		j.Interruptible = *r.Interruptible
	}
	if r.Needs != nil {
		j.Needs, j.needTotal = r.Needs, r.needTotal
	}
	if j.When != Delayed {
		j.StartIn = 0
	}
	j.Variables = merge(r.Variables, j.Variables)
}

// failed returns an error that names the job whose rules could not be evaluated.
func failed(name string, err error) error {
	if errors.Is(err, expression.ErrExpensive) {
		return &Error{Text: fmt.Sprintf("Failed to parse rule for %s: %s", name, err)}
	}
	return err
}
