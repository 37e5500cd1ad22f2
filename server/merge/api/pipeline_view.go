package api

import (
	"context"
	"fmt"
	"time"

	"hew/server/merge"
	"hew/server/policy"
	"hew/server/scope"
	"hew/server/view"
)

// pipelineView is the pipeline of a merge request (spec 1 §2.4).
type pipelineView struct {
	ID        int64     `json:"id"`
	IID       int       `json:"iid"`
	ProjectID int64     `json:"project_id"`
	SHA       string    `json:"sha"`
	Ref       string    `json:"ref"`
	Status    string    `json:"status"`
	Source    string    `json:"source"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	WebURL    string    `json:"web_url"`
}

// showPipeline adds the pipeline of the head, if the caller may read those of the project that it
// runs in: one of a fork is shown to nobody.
func (d *oneDetails) showPipeline(ctx context.Context, site *view.Site, s scope.InProject, r merge.Request) error {
	if !s.Can(policy.ReadPipeline) {
		return nil
	}
	p, err := merge.HeadPipeline(ctx, s.Store, r)
	if err != nil || p == nil || p.ProjectID != s.Project.ID {
		return err
	}
	d.Pipeline = &pipelineView{
		ID: p.ID, IID: p.IID, ProjectID: p.ProjectID, SHA: p.Commit.String(), Ref: p.Ref, Status: p.Status,
		Source: p.Source, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		WebURL: site.Web(fmt.Sprintf("%s/-/pipelines/%d", p.Path, p.ID)),
	}
	d.HeadPipeline, d.Started, d.Finished = d.Pipeline, p.StartedAt, p.FinishedAt
	return nil
}
