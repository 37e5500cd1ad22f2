package ci

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/ci/expression"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/tree"
)

// downstream returns what a bridge starts.
func (s Site) downstream(ctx context.Context, st *db.Store, b *bridge, by tree.User) (o Order, err error) {
	trigger := b.definition.Options.Trigger
	if trigger == nil {
		return o, dropped("invalid_bridge_trigger")
	}
	if b.lookup, err = s.lookup(ctx, st, b); err != nil {
		return o, err
	}
	if len(trigger.Include) > 0 {
		o, err = s.child(ctx, st, b)
	} else {
		o, err = s.multiProject(ctx, st, b, by)
	}
	if err != nil {
		return o, err
	}
	o.By = by
	if o.Variables, err = b.forwarded(ctx, st); err != nil {
		return o, err
	}
	o.Inputs, err = nodeOf(trigger.Inputs)
	return o, err
}

// lookup returns the variables that names in a bridge know, with those in their values replaced.
func (s Site) lookup(ctx context.Context, st *db.Store, b *bridge) (expression.Lookup, error) {
	project, err := tree.FindProject(ctx, st, b.Job.ProjectID)
	if err != nil {
		return nil, err
	}
	predefined, err := Predefined(ctx, st, s, b.upstream)
	if err != nil {
		return nil, err
	}
	stored, err := ReadStoredVariables(ctx, st, project, b.upstream.Protected)
	if err != nil {
		return nil, err
	}
	given, err := PipelineVariables(ctx, st, b.upstream.ID)
	if err != nil {
		return nil, err
	}
	environment, err := environmentOf(ctx, st, b.Job)
	if err != nil {
		return nil, err
	}
	d := b.definition
	of := definition.Job{
		Name: b.Job.Name, Stage: b.Job.Stage, Index: d.Index, Total: d.Total, When: definition.When(b.Job.Starts),
		Environment: d.Environment,
	}
	var own variableList
	own.addID("CI_PIPELINE_ID", b.upstream.ID)
	own.addIf("CI_ENVIRONMENT_NAME", environment)
	list, err := expression.Resolve(slices.Concat(
		predefined, of.Predefined(), own, d.Variables, stored.For(environment).Plain(), given,
	), expression.ForServer)
	if err != nil {
		return nil, dropped("invalid_bridge_trigger")
	}
	return expression.Values(list), nil
}

// environmentOf returns the name of the environment of a job; "" if it has none.
func environmentOf(ctx context.Context, st *db.Store, j Job) (string, error) {
	if j.EnvironmentID == nil {
		return "", nil
	}
	return db.Value[string](ctx, st, `select name from environments where id = @id`,
		pgx.NamedArgs{"id": *j.EnvironmentID})
}

// forwarded returns the variables that a downstream pipeline gets: those of the bridge's
// definition, and if it says so those that the upstream pipeline was started with.
func (b *bridge) forwarded(ctx context.Context, st *db.Store) (list []expression.Variable, err error) {
	forward := b.definition.Options.Trigger.Forward
	if forward.PipelineVariables {
		if list, err = PipelineVariables(ctx, st, b.upstream.ID); err != nil {
			return nil, err
		}
	}
	if !forward.YAMLVariables {
		return list, nil
	}
	for _, v := range b.definition.Variables {
		if !v.Raw {
			v.Value = expression.Expand(v.Value, b.lookup)
		}
		at := slices.IndexFunc(list, func(other expression.Variable) bool { return other.Key == v.Key })
		if at < 0 {
			list = append(list, v)
		}
	}
	return list, nil
}

// multiProject returns the pipeline of another project that a bridge starts.
func (s Site) multiProject(ctx context.Context, st *db.Store, b *bridge, by tree.User) (o Order, err error) {
	trigger := b.definition.Options.Trigger
	p, err := tree.ProjectFor(ctx, st, expression.Expand(trigger.Project, b.lookup), by.ID)
	if fault.CodeOf(err) == fault.CodeNotFound || err == nil && !can(by, policy.ReadProject, p) {
		return o, dropped("downstream_bridge_project_not_found")
	}
	if err != nil {
		return o, err
	}
	if p.ID == b.Job.ProjectID {
		return o, dropped("invalid_bridge_trigger")
	}
	branch := expression.Expand(trigger.Branch, b.lookup)
	if branch == "" {
		branch = p.Head
	}
	protection, err := protect.ReadProtection(ctx, st, p.ID, protect.Pusher{Who: p.Who(by)})
	if err != nil {
		return o, err
	}
	if !can(by, policy.CreatePipeline, p) || !protection.MayRun(protect.Branch, branch) {
		return o, dropped("insufficient_bridge_permissions")
	}
	loops, err := db.Value[bool](ctx, st, ancestors+`
		select exists (select from up where project_id = @project and ref = @ref and source = 'pipeline')`,
		pgx.NamedArgs{"id": b.upstream.ID, "project": p.ID, "ref": branch})
	if err == nil && loops {
		err = dropped("pipeline_loop_detected")
	}
	return Order{Project: p.Project, Source: ByPipeline, Ref: branch}, err
}

// ancestors begins a query with up: a pipeline @id and those that it came from.
const ancestors = `
	with recursive up as (
		select t.id, t.project_id, t.ref, t.source, t.upstream_job_id, 0 as distance from pipelines t where t.id = @id
		union all
		select t.id, t.project_id, t.ref, t.source, t.upstream_job_id, u.distance + 1
		from up u join jobs j on j.id = u.upstream_job_id join pipelines t on t.id = j.pipeline_id
		where u.distance < 100)`

// maxDepth is how many generations of child pipelines a pipeline has.
const maxDepth = 2

// child returns the child pipeline that a bridge starts: for the same commit.
func (s Site) child(ctx context.Context, st *db.Store, b *bridge) (o Order, err error) {
	depth, err := db.Value[int](ctx, st, ancestors+`
		select count(*) from up where source = 'parent_pipeline'`, pgx.NamedArgs{"id": b.upstream.ID})
	if err != nil {
		return o, err
	}
	if depth >= maxDepth {
		return o, dropped("reached_max_descendant_pipelines_depth")
	}
	if err := b.checkSize(ctx, st); err != nil {
		return o, err
	}
	p := b.upstream
	o = Order{
		Source: ByParent, Commit: p.Commit, Before: p.Before, SourceHead: p.SourceHead, TargetHead: p.TargetHead,
	}
	if o.Project, err = tree.FindProject(ctx, st, p.ProjectID); err != nil {
		return o, err
	}
	if b.include, err = b.includes(); err != nil {
		return o, err
	}
	o.Ref = code.Heads + p.Ref
	if p.Tag {
		o.Ref = code.Tags + p.Ref
	}
	if p.MergeRequestID == nil {
		return o, nil
	}
	byID, err := merge.RequestsByID(ctx, st, []int64{*p.MergeRequestID})
	if r, ok := byID[*p.MergeRequestID]; ok {
		o.Request = &r
		if r.ProjectID == p.ProjectID {
			o.Ref = ""
		}
	}
	return o, err
}

// includes returns the files of a child pipeline as the value of include.
func (b *bridge) includes() (*document.Node, error) {
	list := &document.Node{Kind: document.List}
	for _, i := range b.definition.Options.Trigger.Include {
		text, err := json.Marshal(i)
		if err != nil {
			return nil, err
		}
		n, err := nodeOf(text)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, n)
	}
	return list, nil
}
