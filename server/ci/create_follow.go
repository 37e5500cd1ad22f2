package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/merge"
	"hew/server/tree"
)

// follow does what follows from a new pipeline: merge requests wait for it, and older pipelines of
// the ref may not be needed any more.
func (c *creation) follow(ctx context.Context, st *db.Store, made Pipeline) error {
	if made.IsChild() {
		return nil
	}
	var request int64
	if c.Request != nil {
		request = c.Request.ID
	}
	if !made.Tag {
		task := updateHeads{ProjectID: made.ProjectID, Branch: made.Ref, RequestID: request}
		if err := task.now(ctx, st); err != nil {
			return err
		}
	}
	if made.Status.Complete() || c.Project.Settings.AutoCancelPendingPipelines != "enabled" {
		return nil
	}
	return jobs.Enqueue(ctx, st, cancelRedundant{PipelineID: made.ID})
}

// updateHeads asks to make merge requests from a branch, or the one with an id, wait for the last
// pipeline of their heads. A pipeline and a merge request that are made at once do not see each
// other: whichever is stored last does, in a task.
type updateHeads struct {
	ProjectID int64  `json:"project_id,omitempty"`
	Branch    string `json:"branch,omitempty"`
	RequestID int64  `json:"merge_request_id,omitempty"`
}

// Kind implements jobs.Args.
func (updateHeads) Kind() string { return "update_head_pipelines" }

// now does what the task asks for, as far as can be seen now, and enqueues it.
func (task updateHeads) now(ctx context.Context, st *db.Store) error {
	if err := updateHeadsOf(ctx, st, task); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, task)
}

func updateHeadsOf(ctx context.Context, st *db.Store, task updateHeads) error {
	return merge.UpdateHeadPipelines(ctx, st, task.ProjectID, task.Branch, task.RequestID)
}

// cancelRedundant asks to cancel the pipelines that a new one makes redundant.
type cancelRedundant struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind implements jobs.Args.
func (cancelRedundant) Kind() string { return "cancel_redundant_pipelines" }

// cancelOlder cancels the older pipelines of the ref of a pipeline, and their children, as far as
// they let themselves be canceled (ci §2.1).
func cancelOlder(ctx context.Context, st *db.Store, task cancelRedundant) error {
	p, err := FindPipeline(ctx, st, task.PipelineID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	head, err := headOf(ctx, st, p)
	if err != nil {
		return err
	}
	ids, err := db.Values[int64](ctx, st, `
		with recursive older as (
			select t.id from pipelines t
			where t.project_id = @project and t.ref = @ref and t.tag = @tag and t.id < @id and t.commit_oid <> @commit
				and t.commit_oid is distinct from @head and t.source <> 'parent_pipeline'
				and t.created_at > now() - interval '7 days' and t.status = any(@alive)
			union all
			select t.id from pipelines t join jobs j on j.id = t.upstream_job_id join older o on o.id = j.pipeline_id
			where t.source = 'parent_pipeline')
		select id from older order by id limit 1000`,
		pgx.NamedArgs{
			"project": p.ProjectID, "ref": p.Ref, "tag": p.Tag, "id": p.ID, "commit": p.Commit, "head": head,
			"alive": aliveStates,
		})
	for _, id := range ids {
		if err == nil {
			err = fault.IgnoreNotFound(InPipeline(ctx, st, id, (*Change).cancelAsRedundant))
		}
	}
	return err
}

// headOf returns where the ref of a pipeline points to now; zero if it is gone.
func headOf(ctx context.Context, st *db.Store, p Pipeline) (object.ID, error) {
	project, err := tree.FindProject(ctx, st, p.ProjectID)
	if err != nil {
		return object.ID{}, err
	}
	g, err := code.Open(ctx, st, project)
	if err != nil {
		return object.ID{}, err
	}
	name := code.Heads + p.Ref
	switch {
	case p.Tag:
		name = code.Tags + p.Ref
	case p.MergeRequestID != nil:
		name = p.Ref
	}
	ref, err := g.FindRef(ctx, st, "Ref", name)
	return ref.Commit(), fault.IgnoreNotFound(err)
}

// cancelAsRedundant cancels the jobs of a pipeline that a newer one makes redundant, as its
// definition says: all of them unless one has started that must not be interrupted, only those that
// may be interrupted, or none.
func (c *Change) cancelAsRedundant() error {
	if c.Pipeline.CancelOlder == "conservative" {
		for _, j := range c.Jobs {
			if j.StartedAt != nil && !j.Interruptible {
				return nil
			}
		}
	}
	for _, j := range c.Jobs {
		if c.Pipeline.CancelOlder == "conservative" || c.Pipeline.CancelOlder == "interruptible" && j.Interruptible {
			c.Cancel(j)
		}
	}
	return nil
}
