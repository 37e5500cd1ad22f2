package api

import (
	"context"
	"fmt"
	"time"

	"hew/server/code"
	"hew/server/policy"
	"hew/server/scope"
)

// lastPipeline is the newest pipeline of a commit, as the commit shows it (spec 1 §2.5).
type lastPipeline struct {
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

// withPipeline adds the newest pipeline of a commit to its view, for callers who may read
// pipelines.
func (a commits) withPipeline(ctx context.Context, s scope.InProject, c code.Commit, v commitDetails) (
	commitDetails, error,
) {
	if !s.Can(policy.ReadPipeline) {
		return v, nil
	}
	p, err := code.FindLastPipeline(ctx, s.Store, s.Project.ID, c.ID)
	if err != nil || p == nil {
		return v, err
	}
	v.Status = &p.Status
	v.LastPipeline = &lastPipeline{
		ID: p.ID, IID: p.IID, ProjectID: p.ProjectID, SHA: p.Commit.String(), Ref: p.Ref, Status: p.Status,
		Source: p.Source, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		WebURL: a.Web(fmt.Sprintf("%s/-/pipelines/%d", s.Project.FullPath, p.ID)),
	}
	return v, nil
}
