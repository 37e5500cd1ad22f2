package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
)

// Pipeline is a run of the jobs that a definition gives for a commit (spec 1 §2.4).
type Pipeline struct {
	ID        int64         `db:"id,auto"`
	ProjectID int64         `db:"project_id"`
	IID       int           `db:"iid"` // its number in the project
	Status    status.Status `db:"status"`
	Source    Source        `db:"source"`
	// Ref is the name of a branch or tag, or the full name of a ref of a merge request.
	Ref             string     `db:"ref"`
	Tag             bool       `db:"tag"`
	Commit          object.ID  `db:"commit_oid"`
	Before          object.ID  `db:"before_oid"` // the head of the branch before the push; zero: none
	SourceHead      object.ID  `db:"source_oid"` // both are of a merge as a test: the heads that it merges
	TargetHead      object.ID  `db:"target_oid"`
	UserID          *int64     `db:"user_id"` // nil: the user is gone
	Name            *string    `db:"name"`
	YAMLErrors      *string    `db:"yaml_errors"`
	FailureReason   *string    `db:"failure_reason"`
	Protected       bool       `db:"protected"` // the ref was
	MergeRequestID  *int64     `db:"merge_request_id"`
	ScheduleID      *int64     `db:"schedule_id"`
	TriggerID       *int64     `db:"trigger_id"`
	UpstreamJobID   *int64     `db:"upstream_job_id"` // the bridge that started it
	ConfigSource    *string    `db:"config_source"`
	CancelOlder     string     `db:"cancel_older"` // conservative, interruptible, none
	CancelOnFailure bool       `db:"cancel_on_failure"`
	Followed        bool       `db:"followed,auto"` // a bridge of another project mirrors it
	CreatedAt       time.Time  `db:"created_at,auto"`
	UpdatedAt       time.Time  `db:"updated_at,auto"`
	StartedAt       *time.Time `db:"started_at"`
	FinishedAt      *time.Time `db:"finished_at"`
	CommittedAt     *time.Time `db:"committed_at"`
	Duration        *int       `db:"duration"`        // seconds in which some job ran
	QueuedDuration  *int       `db:"queued_duration"` // seconds

	User     *tree.Person `db:"user,auto"`
	Path     string       `db:"path,auto"`     // full path of the project
	Coverage *float64     `db:"coverage,auto"` // percent: the mean of its jobs
	Warnings bool         `db:"warnings,auto"` // a job failed that may
}

// Source says what started a pipeline (spec 1 §2.4).
type Source string

// The sources of pipelines.
const (
	ByPush         Source = "push"
	ByWeb          Source = "web"
	ByAPI          Source = "api"
	ByTrigger      Source = "trigger"
	BySchedule     Source = "schedule"
	ByPipeline     Source = "pipeline"        // a bridge in another project
	ByParent       Source = "parent_pipeline" // a bridge in the same project
	ByMergeRequest Source = "merge_request_event"
	External       Source = "external" // the states that others report make it
)

// IsChild reports whether the pipeline is part of another one of its project.
func (p Pipeline) IsChild() bool { return p.Source == ByParent }

// pipelineColumns are the columns of a pipeline t of a project p. Postgres would read all jobs for
// a list if warnings were an "exists".
var pipelineColumns = `
	t.*, p.full_path as path, ` + tree.PersonColumn("t.user_id") + ` as "user",
	(select avg(j.coverage) from jobs j where j.pipeline_id = t.id and not j.retried) as coverage,
	coalesce((select true from jobs j where j.pipeline_id = t.id and not j.retried and j.allow_failure
	    and j.status = 'failed' limit 1), false) as warnings`

var selectPipelines = `select ` + pipelineColumns + ` from pipelines t join projects p on p.id = t.project_id`

// Pipelines returns the pipelines of a project.
func Pipelines(s *db.Store, projectID int64) db.Held[Pipeline] {
	h := db.NewHeld[Pipeline](s, db.Container{ProjectID: &projectID}, "pipelines")
	h.What, h.Select = "Pipeline", selectPipelines
	return h
}

// FindPipeline returns the pipeline with an id, of any project.
func FindPipeline(ctx context.Context, s *db.Store, id int64) (Pipeline, error) {
	return db.One[Pipeline](ctx, s, "Pipeline", selectPipelines+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// StatusBefore returns what the pipeline before one came to, of the same ref; an empty text if
// there is none that is over. Parts of others do not count.
func StatusBefore(ctx context.Context, s *db.Store, id int64) (status.Status, error) {
	list, err := db.Values[status.Status](ctx, s, `
		select t.status from pipelines l join pipelines t on t.project_id = l.project_id and t.ref = l.ref
		where l.id = @id and t.tag = l.tag and t.id < l.id and t.source <> 'parent_pipeline'
			and t.status in ('success', 'failed', 'canceled', 'skipped')
		order by t.id desc limit 1`, pgx.NamedArgs{"id": id})
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0], nil
}

// lockPipeline locks a pipeline until the transaction ends, and returns it without what follows
// from its jobs. Code that changes a job of a pipeline must hold this lock. It must take it before
// any lock of a job, or transactions could deadlock.
func lockPipeline(ctx context.Context, s *db.Store, id int64) (Pipeline, error) {
	return db.One[Pipeline](ctx, s, "Pipeline", `
		select t.*, p.full_path as path, `+tree.PersonColumn("t.user_id")+` as "user",
		       null::double precision as coverage, false as warnings
		from pipelines t join projects p on p.id = t.project_id
		where t.id = @id for no key update of t`, pgx.NamedArgs{"id": id})
}

// judge gives the pipeline what follows from its jobs beside its state.
func (p *Pipeline) judge(list []*Job) {
	sum, n := 0.0, 0
	p.Coverage, p.Warnings = nil, false
	for _, j := range list {
		if j.Coverage != nil {
			sum, n = sum+*j.Coverage, n+1
		}
		p.Warnings = p.Warnings || j.AllowFailure && j.Status == status.Failed
	}
	if n > 0 {
		p.Coverage = new(sum / float64(n))
	}
}
