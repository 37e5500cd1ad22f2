package ci

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
)

// The kinds of jobs.
const (
	Build        = "build"    // has a script for a runner
	Bridge       = "bridge"   // starts a pipeline
	ExternalKind = "external" // others report its state
)

// Job is a job of a pipeline (spec 1 §2.3).
type Job struct {
	ID         int64         `db:"id,auto"`
	ProjectID  int64         `db:"project_id"`
	PipelineID int64         `db:"pipeline_id"`
	Kind       string        `db:"kind"` // Build, Bridge, ExternalKind
	Name       string        `db:"name"`
	Stage      string        `db:"stage"`
	StageIndex int           `db:"stage_index"`
	Status     status.Status `db:"status"`
	Starts     status.When   `db:"starts"`
	// AllowFailure is whether the pipeline succeeds though the job fails.
	AllowFailure  bool     `db:"allow_failure"`
	StartIn       *int     `db:"start_in"` // seconds that a delayed one waits
	ByNeeds       bool     `db:"by_needs"` // it waits for Needs, not for the stages before its own
	Needs         []string `db:"needs"`    // names of jobs
	Retried       bool     `db:"retried"`
	Retries       int      `db:"retries"` // how many jobs of its name there were before
	Interruptible bool     `db:"interruptible"`
	Protected     bool     `db:"protected"`
	Tags          []string `db:"tags"`

	UserID          *int64 `db:"user_id"`
	DefinitionID    *int64 `db:"definition_id"`
	RunnerID        *int64 `db:"runner_id"`
	RunnerManagerID *int64 `db:"runner_manager_id"`
	ResourceGroupID *int64 `db:"resource_group_id"`
	EnvironmentID   *int64 `db:"environment_id"`
	// FollowedPipelineID is the pipeline whose state a bridge has without having started it.
	FollowedPipelineID *int64 `db:"followed_pipeline_id"`

	Graceful      bool     `db:"graceful"`     // its runner can be told to stop, and says when it has
	Timeout       *int     `db:"timeout"`      // seconds
	TokenDigest   []byte   `db:"token_digest"` // of the token that works while it runs; kept afterwards
	FailureReason *string  `db:"failure_reason"`
	ExitCode      *int     `db:"exit_code"`
	Coverage      *float64 `db:"coverage"`         // percent
	Description   *string  `db:"description"`      // of an external one
	TargetURL     *string  `db:"target_url"`       // of an external one
	TraceSize     int64    `db:"trace_size,auto"`  // bytes; runners write it beside Change
	DebugTrace    bool     `db:"debug_trace,auto"` // the trace shows the values of variables; likewise
	// EnvironmentURL is the address that the job deploys to, with the variables that were known
	// when the pipeline was made.
	EnvironmentURL *string `db:"environment_url"`

	ScheduledAt       *time.Time `db:"scheduled_at"` // when a delayed job starts
	QueuedAt          *time.Time `db:"queued_at"`
	StartedAt         *time.Time `db:"started_at"`
	ContactedAt       *time.Time `db:"contacted_at,auto"` // when its runner was last heard of
	FinishedAt        *time.Time `db:"finished_at"`
	ErasedAt          *time.Time `db:"erased_at"`
	ErasedByID        *int64     `db:"erased_by_id"`
	ArtifactsExpireAt *time.Time `db:"artifacts_expire_at,auto"`
	CreatedAt         time.Time  `db:"created_at,auto"`
	UpdatedAt         time.Time  `db:"updated_at,auto"`

	User *tree.Person `db:"user,auto"`
	// What the pipeline says of all of its jobs.
	Ref            string        `db:"ref,auto"`
	Tag            bool          `db:"tag,auto"`
	Commit         object.ID     `db:"commit_oid,auto"`
	PipelineStatus status.Status `db:"pipeline_status,auto"`
	Path           string        `db:"path,auto"` // full path of the project
}

// Duration returns for how many seconds the job has run; nil before it has started.
func (j Job) Duration(now time.Time) *float64 {
	if j.StartedAt == nil {
		return nil
	}
	if j.FinishedAt != nil {
		now = *j.FinishedAt
	}
	return new(now.Sub(*j.StartedAt).Seconds())
}

// QueuedDuration returns for how many seconds the job waited for a runner; nil before it waits.
func (j Job) QueuedDuration(now time.Time) *float64 {
	if j.QueuedAt == nil {
		return nil
	}
	if j.StartedAt != nil {
		now = *j.StartedAt
	} else if j.FinishedAt != nil {
		now = *j.FinishedAt
	}
	return new(now.Sub(*j.QueuedAt).Seconds())
}

// jobColumns are the columns of a job t of a pipeline l in a project p.
var jobColumns = `
	t.*, ` + tree.PersonColumn("t.user_id") + ` as "user", l.ref, l.tag, l.commit_oid, l.status as pipeline_status,
	p.full_path as path`

var selectJobs = `
	select ` + jobColumns + ` from jobs t join pipelines l on l.id = t.pipeline_id
	join projects p on p.id = t.project_id`

// Jobs returns the jobs of a project, in all of its pipelines.
func Jobs(s *db.Store, projectID int64) db.Held[Job] {
	h := db.NewHeld[Job](s, db.Container{ProjectID: &projectID}, "jobs")
	h.What, h.Select = "Job", selectJobs
	return h
}

// ListJobs lists jobs of a project. What is shown of other tables is read for the page only.
func ListJobs(ctx context.Context, s *db.Store, projectID int64, p db.Page, which ...db.Condition) ([]Job, int, error) {
	return db.ListChosen[Job](ctx, s, p, nil, "t.id", `select t.id from jobs t`, selectJobs,
		Jobs(s, projectID).Where(which...))
}

// FindJob returns the job with an id, of any project.
func FindJob(ctx context.Context, s *db.Store, id int64) (Job, error) {
	return db.One[Job](ctx, s, "Job", selectJobs+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// JobsByID returns the jobs with the ids, of any project, in no order.
func JobsByID(ctx context.Context, s *db.Store, ids []int64) ([]Job, error) {
	return db.Many[Job](ctx, s, selectJobs+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
}

// JobByDigest returns the job whose token has the digest, whether it still runs or not.
func JobByDigest(ctx context.Context, s *db.Store, digest []byte) (Job, error) {
	return db.One[Job](ctx, s, "Job", selectJobs+` where t.token_digest = @digest`, pgx.NamedArgs{"digest": digest})
}

// jobsOf returns the newest jobs of each name in a pipeline, by id. Most have the user of the
// pipeline, and all have its ref and path: that is not read again for each.
func jobsOf(ctx context.Context, s *db.Store, p Pipeline) ([]Job, error) {
	list, err := db.Many[Job](ctx, s, `
		select t.*, null::jsonb as "user", '' as ref, false as tag, null::bytea as commit_oid, '' as pipeline_status,
		       '' as path
		from jobs t where t.pipeline_id = @pipeline and not t.retried order by t.id`,
		pgx.NamedArgs{"pipeline": p.ID})
	if err != nil {
		return nil, err
	}
	var others []int64
	for n := range list {
		j := &list[n]
		j.Ref, j.Tag, j.Commit, j.PipelineStatus, j.Path = p.Ref, p.Tag, p.Commit, p.Status, p.Path
		if j.UserID != nil && p.UserID != nil && *j.UserID == *p.UserID {
			j.User = p.User
		} else if j.UserID != nil {
			others = append(others, j.ID)
		}
	}
	if len(others) == 0 {
		return list, nil
	}
	found, err := db.Many[Job](ctx, s, selectJobs+` where t.id = any(@jobs)`, pgx.NamedArgs{"jobs": others})
	for _, j := range found {
		at := slices.IndexFunc(list, func(of Job) bool { return of.ID == j.ID })
		list[at].User = j.User
	}
	return list, err
}

// newestJob returns the newest job of a name in a pipeline.
func newestJob(ctx context.Context, s *db.Store, pipelineID int64, name string) (Job, error) {
	return db.One[Job](ctx, s, "Job", selectJobs+`
		where t.pipeline_id = @pipeline and t.name = @name and not t.retried`,
		pgx.NamedArgs{"pipeline": pipelineID, "name": name})
}

// same reports whether a job has not changed.
func (j Job) same(as Job) bool { return reflect.DeepEqual(j, as) }

// NewestFirst is the order in which jobs are listed.
var NewestFirst = db.Order{"id": "t.id"}

// WithStatus returns the condition of jobs in one of the states; of all jobs if there are none.
func WithStatus(states []string) db.Condition {
	return func(w *db.Where) { w.AndIf(len(states) > 0, `t.status = any(@states)`, slices.Clone(states)) }
}
