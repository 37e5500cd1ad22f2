package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// OfKind returns the condition of jobs of a kind.
func OfKind(kind string) db.Condition {
	return func(w *db.Where) { w.And(`t.kind = @kind`, kind) }
}

// OfPipeline returns the condition of the jobs of a pipeline: the newest of each name, or all.
func OfPipeline(id int64, retried bool) db.Condition {
	return func(w *db.Where) {
		w.And(`t.pipeline_id = @pipeline`, id)
		w.AndIf(!retried, `not t.retried`)
	}
}

// InStates returns the condition of WithStatus for a long list of jobs that has few in these
// states.
func InStates(states []string) db.Condition {
	return func(w *db.Where) {
		WithStatus(states)(w)
		if len(states) > 0 {
			w.Selective = "jobs"
		}
	}
}

// CancelJob cancels a job that can be, and returns it. One that its runner was told to stop is
// canceled at once if it is forced.
func CancelJob(ctx context.Context, st *db.Store, j Job, force bool) (Job, error) {
	err := InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held := c.Job(j.ID)
		switch {
		case held == nil:
		case force && held.Status == status.Canceling:
			c.Set(held, status.Canceled)
		default:
			c.Cancel(held)
		}
		return nil
	})
	if err != nil {
		return j, err
	}
	return FindJob(ctx, st, j.ID)
}

// PlayJobWith does what PlayJob does, and gives the job variables for this run.
func PlayJobWith(
	ctx context.Context, st *db.Store, j Job, by tree.User, variables []expression.Variable,
) (played Job, err error) {
	for _, v := range variables {
		if err := checkGiven(v); err != nil {
			return j, err
		}
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if played, err = PlayJob(ctx, st, j, by); err != nil {
			return err
		}
		return ofJob.write(ctx, st, j.ID, variables)
	})
	return played, err
}

// EraseJob removes what a job left behind that is over: its artifacts and its trace.
func EraseJob(ctx context.Context, st *db.Store, j Job, by tree.User) (erased Job, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if _, err := lockPipeline(ctx, st, j.PipelineID); err != nil {
			return err
		}
		held, err := FindJob(ctx, st, j.ID)
		if err != nil {
			return err
		}
		left, err := ArtifactsOf(ctx, st, j.ID)
		if err != nil {
			return err
		}
		if !held.Status.Complete() || held.Kind != Build || len(left[j.ID]) == 0 && held.TraceSize == 0 {
			return fault.Forbidden("Job is not erasable!")
		}
		if err := RemoveArtifacts(ctx, st, j.ID); err != nil {
			return err
		}
		if err := RemoveTrace(ctx, st, j.ID); err != nil {
			return err
		}
		if err := st.Exec(ctx, `
			update jobs set erased_at = now(), erased_by_id = @by, artifacts_expire_at = null, updated_at = now()
			where id = @id`, pgx.NamedArgs{"id": j.ID, "by": by.ID}); err != nil {
			return err
		}
		erased, err = FindJob(ctx, st, j.ID)
		return err
	})
	return erased, err
}

// LatestJob returns the job of a name that is the source of the artifacts of a ref: in the newest
// pipeline of the ref that succeeded and has a successful job of the name with an archive.
func LatestJob(ctx context.Context, st *db.Store, projectID int64, ref, name string) (Job, error) {
	return db.One[Job](ctx, st, "", selectJobs+`
		where t.id = (
		    select j.id from pipelines x join jobs j on j.pipeline_id = x.id
		    where x.project_id = @project and x.ref = @ref and x.status = 'success' and x.source <> 'parent_pipeline'
		      and j.name = @name and not j.retried and j.status = 'success'
		      and exists (select from job_artifacts a where a.job_id = j.id and a.file_type = 'archive')
		    order by x.id desc limit 1)`,
		pgx.NamedArgs{"project": projectID, "ref": ref, "name": name})
}
