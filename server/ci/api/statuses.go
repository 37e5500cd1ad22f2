package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// statuses are the routes of what jobs and other systems say of commits (gaps §9.1).
type statuses struct{ *view.Site }

func (a statuses) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/projects/{id}/repository/commits/{sha}/statuses", scope.ForProject(readStatus), a.list),
		rest.Post("/projects/{id}/statuses/{sha}", scope.ForProject(createStatus), a.create),
	}
}

type statusView struct {
	ID           int64           `json:"id"`
	SHA          string          `json:"sha"`
	Ref          string          `json:"ref"`
	Status       status.Status   `json:"status"`
	Name         string          `json:"name"`
	TargetURL    *string         `json:"target_url"`
	Description  *string         `json:"description"`
	CreatedAt    time.Time       `json:"created_at"`
	StartedAt    *time.Time      `json:"started_at"`
	FinishedAt   *time.Time      `json:"finished_at"`
	AllowFailure bool            `json:"allow_failure"`
	Coverage     *float64        `json:"coverage"` // percent
	PipelineID   int64           `json:"pipeline_id"`
	Author       *view.BasicUser `json:"author"`
}

func (a statuses) view(j ci.Job) statusView {
	v := statusView{
		ID: j.ID, SHA: j.Commit.String(), Ref: j.Ref, Status: j.Status, Name: j.Name, TargetURL: j.TargetURL,
		Description: j.Description, CreatedAt: j.CreatedAt, StartedAt: j.StartedAt, FinishedAt: j.FinishedAt,
		AllowFailure: j.AllowFailure, Coverage: j.Coverage, PipelineID: j.PipelineID, Author: a.Author(j.User),
	}
	if j.Kind != ci.ExternalKind {
		v.TargetURL = new(a.Web(fmt.Sprintf("%s/-/jobs/%d", j.Path, j.ID)))
	}
	return v
}

type commitSHA struct {
	SHA string `param:"sha"`
}

// find returns the commit that a path names.
func (in commitSHA) find(ctx context.Context, s scope.InProject) (g *code.Git, id object.ID, err error) {
	if g, err = code.Open(ctx, s.Store, s.Project.Project); err == nil {
		id, err = g.Resolve(ctx, "Commit", in.SHA)
	}
	return g, id, err
}

type statusList struct {
	rest.Paging
	commitSHA
	Ref        string `param:"ref"`
	Stage      string `param:"stage"`
	Name       string `param:"name"`
	PipelineID *int64 `param:"pipeline_id"`
	All        bool   `param:"all"`
	OrderBy    string `param:"order_by" default:"id" oneof:"id pipeline_id"`
	Sort       string `param:"sort" default:"asc" oneof:"asc desc"`
}

func (a statuses) list(ctx context.Context, s scope.InProject, in statusList) (list rest.List[statusView], err error) {
	_, commit, err := in.find(ctx, s)
	if err != nil {
		return list, err
	}
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	return rest.Pages(a.view)(ci.ListStatuses(ctx, s.Store, s.Project.ID, commit, ci.StatusFilter{
		Ref: in.Ref, Stage: in.Stage, Name: in.Name, PipelineID: in.PipelineID, All: in.All,
	}, page))
}

type statusNew struct {
	commitSHA
	State       status.Status `param:"state,required" oneof:"pending running success failed canceled skipped"`
	Ref         string        `param:"ref"`
	Name        string        `param:"name"`
	Context     string        `param:"context" default:"default"` // the older word for the name
	TargetURL   *string       `param:"target_url"`
	Description *string       `param:"description"`
	Coverage    *float64      `param:"coverage"`
	PipelineID  *int64        `param:"pipeline_id"`
	_           struct{}      `exclusive:"name context"`
}

// create stores what another system says of a commit, in the newest pipeline of its ref or in a
// pipeline that it makes.
func (a statuses) create(ctx context.Context, s scope.InProject, in statusNew) (none statusView, err error) {
	g, commit, err := in.find(ctx, s)
	if err != nil {
		return none, err
	}
	e := ci.ExternalStatus{
		ProjectID: s.Project.ID, Commit: commit, PipelineID: in.PipelineID, Name: in.Name, State: in.State,
		TargetURL: in.TargetURL, Description: in.Description, Coverage: in.Coverage,
	}
	if e.Name == "" {
		e.Name = in.Context
	}
	if err := checkTarget(in.TargetURL); err != nil {
		return none, err
	}
	if e.Ref, e.Tag, err = in.ref(ctx, s, g, commit); err != nil {
		return none, err
	}
	protection, err := protect.ReadProtection(ctx, s.Store, s.Project.ID, protect.Pusher{Who: s.Who()})
	if err != nil {
		return none, err
	}
	e.Protected = protection.Protects(refKind(e.Tag), e.Ref)
	return rest.Show(a.view)(ci.ReportStatus(ctx, s.Store, e, s.Caller.User, func(p ci.Pipeline) error {
		if !protection.MayRun(refKind(p.Tag), p.Ref) {
			return fault.Forbidden("")
		}
		return nil
	}))
}

// checkTarget refuses addresses that are no links of the web.
func checkTarget(target *string) error {
	if target == nil || strings.HasPrefix(*target, "https://") || strings.HasPrefix(*target, "http://") {
		return nil
	}
	return fault.Invalid("target_url", "is blocked: Only allowed schemes are http, https")
}

// ref returns the name of the branch or tag that a status is for: the one that is given, even if it
// does not exist, or the first branch that has the commit, or else the first tag.
func (in statusNew) ref(
	ctx context.Context, s scope.InProject, g *code.Git, commit object.ID,
) (name string, tag bool, err error) {
	if in.PipelineID != nil {
		p, err := ci.Pipelines(s.Store, s.Project.ID).One(ctx, db.ByID(*in.PipelineID))
		return p.Ref, p.Tag, err
	}
	if in.Ref != "" {
		name = code.ShortName(in.Ref)
		_, err = g.FindRef(ctx, s.Store, "Ref", code.Tags+name)
		return name, err == nil, fault.IgnoreNotFound(err)
	}
	for _, prefix := range []string{code.Heads, code.Tags} {
		refs, err := g.RefsContaining(ctx, commit, prefix)
		if err != nil {
			return "", false, err
		}
		if len(refs) > 0 {
			return refs[0].Short(), prefix == code.Tags, nil
		}
	}
	return "", false, fault.NotFound("References for commit")
}
