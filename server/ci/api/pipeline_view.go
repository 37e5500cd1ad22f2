package api

import (
	"fmt"
	"time"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/view"
)

// basicPipeline is a pipeline as lists and other things show it (spec 1 §2.4).
type basicPipeline struct {
	ID        int64         `json:"id"`
	IID       int           `json:"iid"`
	ProjectID int64         `json:"project_id"`
	SHA       string        `json:"sha"`
	Ref       string        `json:"ref"`
	Status    status.Status `json:"status"`
	Source    ci.Source     `json:"source"`
	CreatedAt time.Time     `json:"created_at"`
	UpdatedAt time.Time     `json:"updated_at"`
	WebURL    string        `json:"web_url"`
	Name      *string       `json:"name"`
}

// pipelineView is a pipeline by itself.
type pipelineView struct {
	basicPipeline
	BeforeSHA      string          `json:"before_sha"`
	Tag            bool            `json:"tag"`
	YAMLErrors     *string         `json:"yaml_errors"`
	User           *view.BasicUser `json:"user"`
	StartedAt      *time.Time      `json:"started_at"`
	FinishedAt     *time.Time      `json:"finished_at"`
	CommittedAt    *time.Time      `json:"committed_at"`
	Duration       *int            `json:"duration"`        // seconds
	QueuedDuration *int            `json:"queued_duration"` // seconds
	Coverage       *string         `json:"coverage"`        // percent with two decimals
	DetailedStatus detailedStatus  `json:"detailed_status"`
}

// pipelineViews shows pipelines.
type pipelineViews struct{ *view.Site }

func (a pipelineViews) basic(p ci.Pipeline) basicPipeline {
	return basicPipeline{
		ID: p.ID, IID: p.IID, ProjectID: p.ProjectID, SHA: p.Commit.String(), Ref: p.Ref, Status: p.Status,
		Source: p.Source, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, WebURL: a.Web(pipelinePath(p)), Name: p.Name,
	}
}

func (a pipelineViews) view(p ci.Pipeline) pipelineView {
	return pipelineView{
		basicPipeline: a.basic(p), BeforeSHA: p.Before.String(), Tag: p.Tag, YAMLErrors: p.YAMLErrors,
		User: a.Author(p.User), StartedAt: p.StartedAt, FinishedAt: p.FinishedAt, CommittedAt: p.CommittedAt,
		Duration: p.Duration, QueuedDuration: p.QueuedDuration, Coverage: percent(p.Coverage),
		DetailedStatus: detailedStatusOf(p),
	}
}

// PipelineView is a pipeline as its own routes and those of other parts show it.
type PipelineView = pipelineView

// ViewPipeline returns how a pipeline is shown by itself.
func ViewPipeline(site *view.Site, p ci.Pipeline) PipelineView { return pipelineViews{site}.view(p) }

// BasicPipeline is a pipeline as lists show it.
type BasicPipeline = basicPipeline

// ViewBasicPipeline returns how a pipeline is shown in lists and within other things.
func ViewBasicPipeline(site *view.Site, p ci.Pipeline) BasicPipeline {
	return pipelineViews{site}.basic(p)
}

func pipelinePath(p ci.Pipeline) string { return fmt.Sprintf("%s/-/pipelines/%d", p.Path, p.ID) }

// percent returns a coverage with two decimals.
func percent(coverage *float64) *string {
	if coverage == nil {
		return nil
	}
	return new(fmt.Sprintf("%.2f", *coverage))
}
