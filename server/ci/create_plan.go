package ci

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/protect"
	"hew/server/setting"
)

// planTime is how long a definition may take, with all of its files and rules.
const planTime = 60 * time.Second

// plan reads the definition and returns the pipeline that it gives.
func (c *creation) plan(ctx context.Context) (p plan, err error) {
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	request, err := c.request(ctx)
	if err != nil {
		return p, err
	}
	in, err := c.read(ctx, request)
	if err != nil {
		return p, err
	}
	if len(in.errors) > 0 {
		return p, invalid(in.errors[0].Text)
	}
	chosen, err := c.choose(ctx, in.config)
	if err != nil {
		return p, err
	}
	if err := c.checkSize(ctx, chosen.Jobs); err != nil {
		return p, err
	}
	c.pipeline.CancelOnFailure = chosen.AutoCancel.OnJobFailure == "all"
	if chosen.AutoCancel.OnNewCommit != "" {
		c.pipeline.CancelOlder = chosen.AutoCancel.OnNewCommit
	}
	if chosen.Name != "" {
		c.pipeline.Name = &chosen.Name
	}
	if err := c.expandNames(chosen.Jobs); err != nil {
		return p, err
	}
	return plan{Pipeline: c.pipeline, Variables: c.Variables, Jobs: chosen.Jobs}, nil
}

// choose evaluates the rules of a definition.
func (c *creation) choose(ctx context.Context, config *definition.Config) (*definition.Pipeline, error) {
	chosen, err := config.Select(ctx, c.context())
	var wrong *definition.Error
	switch {
	case errors.Is(err, definition.ErrFiltered), errors.Is(err, definition.ErrNoJobs):
		return nil, refuse(err.Error())
	case errors.As(err, &wrong):
		return nil, invalid(wrong.Text)
	}
	return chosen, err
}

// context returns what rules can ask about the pipeline.
func (c *creation) context() definition.Context {
	kind := definition.Branch
	switch {
	case c.Request != nil:
		kind = definition.MergeRequest
	case c.kind == protect.Tag:
		kind = definition.Tag
	}
	return definition.Context{
		Source: string(c.Source), Kind: kind, Ref: c.name, ProjectPath: c.Project.FullPath, Predefined: c.predefined,
		Stored:   func(environment string) []expression.Variable { return c.stored.For(environment).Plain() },
		Pipeline: c.Variables, Changed: c.changed, Files: c.filesOf,
	}
}

// includeHolds evaluates the rules of an include of a file, whose own files they ask for.
func (c *creation) includeHolds(ctx context.Context, rules *document.Node, from document.Origin) (bool, error) {
	of := c.context()
	of.Files = func(ctx context.Context, project, ref string) ([]string, error) {
		if project == "" && from.ProjectID != c.Project.ID {
			project, ref = from.Project, from.SHA
		}
		return c.filesOf(ctx, project, ref)
	}
	return of.Includes(ctx, rules)
}

// maxDeployments is how many jobs of a pipeline may deploy.
const maxDeployments = 500

// checkSize refuses pipelines that are too large for the plan.
func (c *creation) checkSize(ctx context.Context, jobs []*definition.Job) error {
	read, err := setting.ReadPlanLimits(ctx, c.st, "default")
	if err != nil {
		return err
	}
	if most := read.Limits.CIPipelineSize; most > 0 && int64(len(jobs)) > most {
		return refusal{fmt.Sprintf("Pipeline has too many jobs! Requested %d, but the limit is %d.", len(jobs), most),
			"size_limit_exceeded"}
	}
	if most := read.Limits.CIActiveJobs; most > 0 {
		active, err := db.Value[int64](ctx, c.st, `
			select count(*) from jobs where project_id = @project and status = any(@alive) and not retried`,
			pgx.NamedArgs{"project": c.Project.ID, "alive": aliveStates})
		if err != nil {
			return err
		}
		if active+int64(len(jobs)) > most {
			return refusal{"Project exceeded the allowed number of jobs in active pipelines. Retry later.",
				"job_activity_limit_exceeded"}
		}
	}
	deploying := 0
	for _, j := range jobs {
		if j.Environment != nil && j.Environment.Action == "start" {
			deploying++
		}
	}
	if deploying > maxDeployments {
		return refusal{fmt.Sprintf("Pipeline has too many deployments! Requested %d, but the limit is %d.",
			deploying, maxDeployments), "deployments_limit_exceeded"}
	}
	return nil
}

// aliveStates are the states of jobs and pipelines that go on by themselves.
var aliveStates = []status.Status{
	status.Created, status.WaitingForResource, status.Preparing, status.Pending, status.Running, status.Canceling,
	status.Scheduled,
}
