package merge

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
)

// Pipeline is the last pipeline of the head of a merge request, as far as merge requests show it.
// Pipelines belong to package ci, which imports this one.
type Pipeline struct {
	ID         int64      `db:"id"`
	IID        int        `db:"iid"`
	ProjectID  int64      `db:"project_id"`
	Path       string     `db:"path"` // full path of its project
	Commit     object.ID  `db:"commit_oid"`
	Ref        string     `db:"ref"`
	Status     string     `db:"status"`
	Source     string     `db:"source"`
	CreatedAt  time.Time  `db:"created_at"`
	UpdatedAt  time.Time  `db:"updated_at"`
	StartedAt  *time.Time `db:"started_at"`
	FinishedAt *time.Time `db:"finished_at"`
}

// headPipeline returns a column of the pipeline l that a merge request t waits for. One of an
// earlier head does not count.
func headPipeline(column string) string {
	return `(select ` + column + ` from pipelines l
		where l.id = t.head_pipeline_id and coalesce(l.source_oid, l.commit_oid) = t.head_oid)`
}

// HeadPipeline returns the last pipeline of the head of a merge request; nil if there is none.
func HeadPipeline(ctx context.Context, s *db.Store, r Request) (*Pipeline, error) {
	if r.HeadPipelineID == nil {
		return nil, nil
	}
	p, err := db.One[Pipeline](ctx, s, "Pipeline", `
		select l.id, l.iid, l.project_id, p.full_path as path, l.commit_oid, l.ref, l.status, l.source, l.created_at,
			l.updated_at, l.started_at, l.finished_at
		from pipelines l join projects p on p.id = l.project_id
		where l.id = @id and coalesce(l.source_oid, l.commit_oid) = @head`,
		pgx.NamedArgs{"id": *r.HeadPipelineID, "head": r.Head})
	if err != nil {
		return nil, fault.IgnoreNotFound(err)
	}
	return &p, nil
}

// finalStates are the states of pipelines that do not change by themselves. A manual one waits for
// somebody, and counts as one that did not pass.
var finalStates = []string{"success", "failed", "canceled", "skipped", "manual"}

// pipelineStatus returns why the pipeline of the head forbids the merge; "" if it does not.
func (w waiting) pipelineStatus() Status {
	switch {
	case !w.Settings.OnlyMergeIfPipelineSucceeds:
		return ""
	case w.Pipeline == nil:
		return PipelineMissing
	case *w.Pipeline == "success":
		return ""
	case *w.Pipeline == "skipped":
		if skipped := w.Settings.AllowMergeOnSkippedPipeline; skipped != nil && *skipped {
			return ""
		}
		return PipelineMissing
	case slices.Contains(finalStates, *w.Pipeline):
		return PipelineMissing
	}
	return PipelineRuns
}
