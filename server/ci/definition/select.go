package definition

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	s.top = slices.Clip(merge(workflow, plainVariables(c.Variables)))
	s.topLookup = expression.Values(s.top)
	chosen := map[string]bool{}
	for _, j := range c.Jobs {
		selected, err := s.job(j)
		if err != nil {
			return nil, err
		}
		if selected != nil {
			chosen[j.Name] = true
			pipeline.Jobs = append(pipeline.Jobs, selected)
		}
	}
	if err := c.connect(pipeline.Jobs, chosen); err != nil {
		return nil, err
	}
	if err := circle(pipeline.Jobs); err != nil { // needs of rules may make one
		return nil, err
	}
	for _, j := range pipeline.Jobs {
		if j.Stage != firstStage && j.Stage != lastStage {
			return pipeline, nil
		}
	}
	return nil, ErrNoJobs
}

// The limits of a pipeline, which keep what a small file can ask for in memory.
const (
	maxVariables    = 1_000_000 // of the file, of all jobs together
	maxDependencies = 200_000
)

// connect leaves out needs and dependencies of jobs that the pipeline does not have.
func (c *Config) connect(jobs []*Job, chosen map[string]bool) error {
	dependencies := 0
	for _, j := range jobs {
		if j.needTotal > maxNeeds {
			return located(j.at, fmt.Sprintf("%s: one job can only need %d others, but you have listed %d. "+
				"See needs keyword documentation for more details", j.Name, maxNeeds, j.needTotal))
		}
		if err := j.chooseNeeds(chosen); err != nil {
			return err
		}
		j.Options.Dependencies = c.dependencies(j.deps, chosen)
		if dependencies += len(j.Options.Dependencies); dependencies > maxDependencies {
			return located(j.at, fmt.Sprintf("%s: the pipeline has more than %d dependencies", j.Name, maxDependencies))
		}
	}
	return nil
}

// chooseNeeds leaves out the optional needs that are not chosen.
func (j *Job) chooseNeeds(chosen map[string]bool) error {
	if j.Needs == nil {
		return nil
	}
	list, seen := []Need{}, map[string]bool{}
	for _, n := range j.Needs {
		switch {
		case chosen[n.Job] && !seen[n.Job]:
			seen[n.Job] = true
			list = append(list, n)
		case !chosen[n.Job] && !n.Optional:
			return located(j.at, fmt.Sprintf("'%s' job needs '%s' job, but '%s' does not exist in the pipeline. "+
				"This might be because of the only, except, or rules keywords. "+
				"To need a job that sometimes does not exist in the pipeline, use needs:optional.",
				j.Name, n.Job, n.Job))
		}
	}
	j.Needs = list
	return nil
}

// dependencies returns the names of chosen jobs after expansion, each once, and nil if none are
// given.
func (c *Config) dependencies(deps []string, chosen map[string]bool) []string {
	if deps == nil {
		return nil
	}
	list, seen := []string{}, map[string]bool{}
	for _, name := range deps {
		if seen[name] {
			continue
		}
		seen[name] = true
		for _, j := range c.instancesOf(name) {
			if chosen[j.Name] && (j.Name == name || !seen[j.Name]) {
				seen[j.Name] = true
				list = append(list, j.Name)
			}
		}
	}
	return list
}

// workflow evaluates the rules of workflow, and returns the variables of the one that holds.
func (s *selection) workflow(p *Pipeline) ([]expression.Variable, error) {
	top := plainVariables(s.config.Variables)
	var variables []expression.Variable
	if rules := s.config.Workflow.Rules; rules != nil {
		rule, err := s.first(rules, s.scope(nil, top, nil, ""), "workflow")
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
	lookup, err := s.scope(nil, merge(variables, top), nil, "").resolved()
	if err != nil {
		return nil, &Error{Text: "workflow:name: " + err.Error()}
	}
	name := []rune(strings.TrimSpace(expression.Expand(s.config.Workflow.Name, lookup)))
	p.Name = string(name[:min(len(name), maxName)])
	return variables, nil
}

// job returns a copy of a job with its rules applied, nil if they leave it out.
func (s *selection) job(j *Job) (*Job, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	scope, err := s.jobScope(j)
	if err != nil {
		return nil, err
	}
	selected := *j
	var more []expression.Variable // of the rule
	if j.Rules == nil {
		if holds, err := s.policies(j, scope); err != nil || !holds {
			return nil, err
		}
	} else {
		rule, err := s.first(j.Rules, scope, j.Name)
		if err != nil || rule == nil {
			return nil, err
		}
		rule.apply(&selected)
		if selected.When == Never {
			return nil, nil
		}
		more = rule.Variables
	}
	if selected.Variables = scope.yaml(); len(more) == 0 && scope.sharesTop() {
		return &selected, nil
	}
	selected.Variables = merge(more, selected.Variables)
	if s.variables += len(selected.Variables); s.variables > maxVariables {
		return nil, located(j.at, fmt.Sprintf("%s: the jobs of the pipeline have more than %d variables", j.Name,
			maxVariables))
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
}

// failed returns an error that names the job whose rules could not be evaluated.
func failed(name string, err error) error {
	if errors.Is(err, expression.ErrExpensive) {
		return &Error{Text: fmt.Sprintf("Failed to parse rule for %s: %s", name, err)}
	}
	return err
}
