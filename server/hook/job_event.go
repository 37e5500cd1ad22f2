package hook

import (
	"context"
	"slices"
	"time"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
)

// jobPayload is a job that got another state. The user, the project and its repository are shown
// beside it (gaps §13.6).
type jobPayload struct {
	ObjectKind     string              `json:"object_kind"` // build
	Ref            string              `json:"ref"`
	Tag            bool                `json:"tag"`
	BeforeSHA      string              `json:"before_sha"`
	SHA            string              `json:"sha"`
	Retries        int                 `json:"retries_count"`
	ID             int64               `json:"build_id"`
	Name           string              `json:"build_name"`
	Stage          string              `json:"build_stage"`
	Status         status.Status       `json:"build_status"`
	CreatedAt      time.Time           `json:"build_created_at"`
	StartedAt      *time.Time          `json:"build_started_at"`
	FinishedAt     *time.Time          `json:"build_finished_at"`
	Duration       *float64            `json:"build_duration"`        // seconds
	QueuedDuration *float64            `json:"build_queued_duration"` // seconds
	AllowFailure   bool                `json:"build_allow_failure"`
	FailureReason  string              `json:"build_failure_reason"` // unknown_failure without one
	PipelineID     int64               `json:"pipeline_id"`
	Runner         *runnerPayload      `json:"runner"`
	ProjectID      int64               `json:"project_id"`
	ProjectName    string              `json:"project_name"` // with its groups
	Commit         jobCommit           `json:"commit"`
	Environment    *environmentPayload `json:"environment"`
	Source         *sourcePipeline     `json:"source_pipeline,omitempty"`
}

// jobCommit is the pipeline of a job with its commit.
type jobCommit struct {
	ID          int64         `json:"id"`   // of the pipeline
	Name        *string       `json:"name"` // likewise, as all that follows the author
	SHA         string        `json:"sha"`
	Message     *string       `json:"message"` // this and the author are null if the commit is gone
	AuthorName  *string       `json:"author_name"`
	AuthorEmail *string       `json:"author_email"`
	AuthorURL   *string       `json:"author_url"` // to write to
	Status      status.Status `json:"status"`
	Duration    *int          `json:"duration"` // seconds
	StartedAt   *time.Time    `json:"started_at"`
	FinishedAt  *time.Time    `json:"finished_at"`
}

// notifyJobs sends the jobs with a script that got another state: all of a user's at once.
func notifyJobs(ctx context.Context, s pipelineScene, changed []ci.JobChange) error {
	byUser := map[int64][]int64{}
	var users []int64
	for _, c := range changed {
		if c.Job.Kind != ci.Build {
			continue
		}
		user := db.OrZero(c.Job.UserID)
		if byUser[user] == nil {
			users = append(users, user)
		}
		byUser[user] = append(byUser[user], c.Job.ID)
	}
	slices.Sort(users)
	for _, user := range users {
		h := s.occurrence("job_events", &user)
		if err := enqueueDeliveries(ctx, s.store, h, func() ([]any, error) {
			return s.newJobPayloads(ctx, byUser[user])
		}); err != nil {
			return err
		}
	}
	return nil
}

// newJobPayloads returns the payloads of jobs of the pipeline.
func (s pipelineScene) newJobPayloads(ctx context.Context, ids []int64) (payloads []any, err error) {
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	list, err := ci.JobDetailsOf(ctx, s.store, ids)
	now := time.Now()
	for _, j := range list {
		payloads = append(payloads, s.newJobPayload(j, now))
	}
	return payloads, err
}

// newJobPayload returns the payload of a job at a time.
func (s pipelineScene) newJobPayload(j ci.JobDetail, now time.Time) jobPayload {
	p := s.pipeline
	shown := jobPayload{
		ObjectKind: "build", Ref: j.Ref, Tag: j.Tag, BeforeSHA: p.Before.String(), SHA: j.Commit.String(),
		Retries: j.Retries, ID: j.ID, Name: j.Name, Stage: j.Stage, Status: j.Status,
		CreatedAt: wholeSeconds(j.CreatedAt), StartedAt: secondsOf(j.StartedAt),
		FinishedAt: secondsOf(j.FinishedAt), Duration: j.Duration(now), QueuedDuration: j.QueuedDuration(now),
		AllowFailure: j.AllowFailure, FailureReason: failureReason(j),
		PipelineID: p.ID, Runner: newRunnerPayload(j.Runner), ProjectID: s.project.ID,
		ProjectName: s.project.NamespaceFullName + " / " + s.project.Name,
		Environment: newEnvironmentPayload(j.Environment), Source: s.source,
		Commit: jobCommit{
			ID: p.ID, Name: p.Name, SHA: p.Commit.String(), Status: p.Status, Duration: p.Duration,
			StartedAt: secondsOf(p.StartedAt), FinishedAt: secondsOf(p.FinishedAt),
		},
	}
	if c := s.commit; c != nil {
		shown.Commit.Message = &c.Message
		shown.Commit.AuthorName, shown.Commit.AuthorEmail = &c.Author.Name, &c.Author.Email
		shown.Commit.AuthorURL = new("mailto:" + c.Author.Email)
	}
	return shown
}

// sampleJob returns an event of the newest job with a script of the project.
func sampleJob(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	list, _, err := ci.Jobs(st, at.project.ID).List(ctx, db.Page{Limit: 1, Desc: true}, func(w *db.Where) {
		w.And(`t.kind = @kind`, ci.Build)
	})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return sampleMissing("CI jobs")(ctx, st, at)
	}
	s := pipelineScene{store: st, web: at.web}
	if s.pipeline, err = ci.FindPipeline(ctx, st, list[0].PipelineID); err != nil {
		return nil, err
	}
	payloads, err := s.newJobPayloads(ctx, []int64{list[0].ID})
	if err != nil || len(payloads) == 0 {
		return nil, err
	}
	return payloads[0], nil
}
