package hook

import (
	"context"
	"fmt"
	"time"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/merge"
)

// pipelinePayload is a pipeline that got another state. The user and the project are shown beside
// it (gaps §13.6).
type pipelinePayload struct {
	ObjectKind string             `json:"object_kind"` // pipeline
	Attributes pipelineAttributes `json:"object_attributes"`
	Request    *pipelineRequest   `json:"merge_request"` // null: it is not one of a merge request
	Commit     *bareCommit        `json:"commit"`        // null: it is not in the repository any more
	Source     *sourcePipeline    `json:"source_pipeline,omitempty"`
	Builds     []buildPayload     `json:"builds"`
}

type pipelineAttributes struct {
	ID             int64             `json:"id"`
	IID            int               `json:"iid"`
	Name           *string           `json:"name"`
	Ref            string            `json:"ref"` // of a merge request the source branch
	Tag            bool              `json:"tag"`
	SHA            string            `json:"sha"`
	BeforeSHA      string            `json:"before_sha"`
	Source         ci.Source         `json:"source"`
	Status         status.Status     `json:"status"`
	Detailed       string            `json:"detailed_status"` // passed, passed with warnings …
	Stages         []string          `json:"stages"`
	CreatedAt      time.Time         `json:"created_at"`
	FinishedAt     *time.Time        `json:"finished_at"`
	Duration       *int              `json:"duration"`        // seconds
	QueuedDuration *int              `json:"queued_duration"` // seconds
	Variables      []variablePayload `json:"variables"`
	URL            string            `json:"url"`
}

// variablePayload is a variable that a pipeline was started with. The value is not shown: it may be
// a secret, and deliveries are kept in clear.
type variablePayload struct {
	Key   string `json:"key"`
	Value string `json:"value"` // redactedText
}

type pipelineRequest struct {
	ID              int64             `json:"id"`
	IID             int               `json:"iid"`
	Title           string            `json:"title"`
	SourceBranch    string            `json:"source_branch"`
	SourceProjectID *int64            `json:"source_project_id"`
	TargetBranch    string            `json:"target_branch"`
	TargetProjectID int64             `json:"target_project_id"`
	State           string            `json:"state"`
	MergeStatus     merge.MergeStatus `json:"merge_status"`
	Detailed        string            `json:"detailed_merge_status"`
	URL             string            `json:"url"`
}

// buildPayload is a job of a pipeline.
type buildPayload struct {
	ID             int64               `json:"id"`
	Stage          string              `json:"stage"`
	Name           string              `json:"name"`
	Status         status.Status       `json:"status"`
	CreatedAt      time.Time           `json:"created_at"`
	StartedAt      *time.Time          `json:"started_at"`
	FinishedAt     *time.Time          `json:"finished_at"`
	Duration       *float64            `json:"duration"`        // seconds
	QueuedDuration *float64            `json:"queued_duration"` // seconds
	FailureReason  *string             `json:"failure_reason"`  // null: it has not failed
	When           status.When         `json:"when"`
	Manual         bool                `json:"manual"`
	AllowFailure   bool                `json:"allow_failure"`
	User           *hookUser           `json:"user"`
	Runner         *runnerPayload      `json:"runner"`
	Artifacts      archivePayload      `json:"artifacts_file"`
	Environment    *environmentPayload `json:"environment"`
}

type archivePayload struct {
	Filename *string `json:"filename"`
	Size     *int64  `json:"size"` // bytes
}

type runnerPayload struct {
	ID          int64    `json:"id"`
	Description string   `json:"description"`
	Type        string   `json:"runner_type"`
	Active      bool     `json:"active"`
	Shared      bool     `json:"is_shared"` // it runs jobs of everybody
	Tags        []string `json:"tags"`
}

type environmentPayload struct {
	Name   string  `json:"name"`
	Action string  `json:"action"`
	Tier   *string `json:"deployment_tier"`
}

// newBuildPayload returns a job as the payload of its pipeline shows it at a time.
func newBuildPayload(j ci.JobDetail, users map[int64]hookUser, now time.Time) buildPayload {
	b := buildPayload{
		ID: j.ID, Stage: j.Stage, Name: j.Name, Status: j.Status, CreatedAt: wholeSeconds(j.CreatedAt),
		StartedAt: secondsOf(j.StartedAt), FinishedAt: secondsOf(j.FinishedAt), Duration: j.Duration(now),
		QueuedDuration: j.QueuedDuration(now), When: j.Starts, Manual: j.Starts == status.ByHand,
		AllowFailure: j.AllowFailure, Runner: newRunnerPayload(j.Runner),
		Environment: newEnvironmentPayload(j.Environment),
	}
	if j.Status == status.Failed {
		b.FailureReason = new(failureReason(j))
	}
	if u, ok := users[db.OrZero(j.UserID)]; ok {
		b.User = &u
	}
	if j.Archive != nil {
		b.Artifacts = archivePayload{&j.Archive.Filename, &j.Archive.Size}
	}
	return b
}

// failureReason returns why a job failed, in the words of the API (gaps §10.3).
func failureReason(j ci.JobDetail) string {
	if j.FailureReason == nil {
		return "unknown_failure"
	}
	return *j.FailureReason
}

func newRunnerPayload(r *ci.JobRunner) *runnerPayload {
	if r == nil {
		return nil
	}
	return &runnerPayload{
		r.ID, r.Description, r.Type, r.Active, r.Type == ci.InstanceRunner, append([]string{}, r.Tags...),
	}
}

func newEnvironmentPayload(e *ci.JobEnvironment) *environmentPayload {
	if e == nil {
		return nil
	}
	return &environmentPayload{e.Name, e.Action, e.Tier}
}

// request shows the merge request of a pipeline.
func (s pipelineScene) request(ctx context.Context) (*pipelineRequest, error) {
	if s.merge == nil {
		return nil, nil
	}
	r := *s.merge
	statuses, err := merge.Statuses(ctx, s.store, []merge.Request{r})
	return &pipelineRequest{
		ID: r.ID, IID: r.IID, Title: r.Title, SourceBranch: r.SourceBranch, SourceProjectID: r.SourceProjectID,
		TargetBranch: r.TargetBranch, TargetProjectID: r.ProjectID, State: r.State, MergeStatus: r.ShownStatus(),
		Detailed: string(statuses[r.ID]), URL: fmt.Sprintf("%s/%s/-/merge_requests/%d", s.web, s.project.FullPath, r.IID),
	}, err
}
