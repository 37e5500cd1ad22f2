package api

import (
	"context"
	"time"

	"hew/server/ci"
	"hew/server/ci/status"
	codeapi "hew/server/code/api"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// runnerJobView is a job in the list of a runner (spec 3 §2.5).
type runnerJobView struct {
	ID             int64               `json:"id"`
	Status         status.Status       `json:"status"`
	Stage          string              `json:"stage"`
	Name           string              `json:"name"`
	Ref            string              `json:"ref"`
	Tag            bool                `json:"tag"`
	Coverage       *float64            `json:"coverage"` // percent
	AllowFailure   bool                `json:"allow_failure"`
	CreatedAt      time.Time           `json:"created_at"`
	StartedAt      *time.Time          `json:"started_at"`
	FinishedAt     *time.Time          `json:"finished_at"`
	Duration       *float64            `json:"duration"`        // seconds
	QueuedDuration *float64            `json:"queued_duration"` // seconds
	User           *view.BasicUser     `json:"user"`
	Commit         *codeapi.CommitView `json:"commit"`
	Pipeline       runnerPipeline      `json:"pipeline"`
	WebURL         string              `json:"web_url"`
	Project        runnerJobProject    `json:"project"`
}

type runnerPipeline struct {
	ID        int64         `json:"id"`
	ProjectID int64         `json:"project_id"`
	SHA       string        `json:"sha"`
	Ref       string        `json:"ref"`
	Status    status.Status `json:"status"`
	WebURL    string        `json:"web_url"`
}

type runnerJobProject struct {
	runnerProject
	Description *string   `json:"description"`
	CreatedAt   time.Time `json:"created_at"`
}

func (a runners) jobView(now time.Time) func(ci.RunnerJob) runnerJobView {
	return func(j ci.RunnerJob) runnerJobView {
		p, page := j.Project, j.Path+"/-/"
		v := runnerJobView{
			ID: j.ID, Status: j.Status, Stage: j.Stage, Name: j.Name, Ref: j.Ref, Tag: j.Tag, Coverage: j.Coverage,
			AllowFailure: j.AllowFailure, CreatedAt: j.CreatedAt, StartedAt: j.StartedAt, FinishedAt: j.FinishedAt,
			Duration: j.Duration(now), QueuedDuration: j.QueuedDuration(now), User: a.Author(j.User),
			WebURL: a.Web(page + "jobs/" + idText(j.ID)),
			Pipeline: runnerPipeline{
				j.PipelineID, j.ProjectID, j.Job.Commit.String(), j.Ref, j.PipelineStatus,
				a.Web(page + "pipelines/" + idText(j.PipelineID)),
			},
			Project: runnerJobProject{
				runnerProject{p.ID, p.Name, p.NamespaceFullName + " / " + p.Name, p.Path, p.FullPath},
				p.Description, p.CreatedAt,
			},
		}
		if !j.At.ID.IsZero() {
			v.Commit = new(codeapi.ViewCommit(a.Site, p, j.At))
		}
		return v
	}
}

type runnerJobs struct {
	rest.Keyset `of:"Job"`
	ID          int64        `param:"id"`
	Cursor      scope.Cursor `param:"cursor"`
	SystemID    string       `param:"system_id"`
	Status      string       `param:"status" oneof:"created waiting_for_resource preparing waiting_for_callback pending running success failed canceling canceled skipped manual scheduled"`
	OrderBy     string       `param:"order_by" oneof:"id"`
	Sort        string       `param:"sort" oneof:"asc desc"`
}

// listJobs lists the jobs of a runner in projects where the caller is a reporter.
func (a runners) listJobs(
	ctx context.Context, s runnerScope, in runnerJobs,
) (list rest.List[runnerJobView], err error) {
	if in.Sort != "" && in.OrderBy == "" {
		return list, fault.Param("order_by is missing")
	}
	page := scope.PageOf(in.Paging)
	page.Desc, page.ByKey = in.Sort != "asc", in.ByKey()
	if page.After, err = in.Cursor.Position(); err != nil {
		return list, err
	}
	found, total, err := ci.RunnerJobs(ctx, s.Store, ci.RunnerJobFilter{
		RunnerID: s.Runner.ID, For: s.Viewer(), SystemID: in.SystemID, Status: in.Status,
	}, page)
	if list, err = rest.Pages(a.jobView(time.Now()))(found, total, err); err != nil {
		return list, err
	}
	if in.SystemID != "" && !in.ByKey() {
		list.Total = -1 // gaps §1.4
	}
	list.Next = rest.After(in.Keyset, found, func(j ci.RunnerJob) map[string]string {
		return scope.Next(db.Position{ID: j.ID})
	})
	return list, nil
}
