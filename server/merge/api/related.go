package api

import (
	"context"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// relatedRoutes serves the merge requests of issues and milestones, and the issues of merge
// requests.
func (a lists) relatedRoutes() []rest.Route {
	const issue, one = "/projects/{id}/issues/{issue_iid}", "/projects/{id}/merge_requests/{merge_request_iid}"
	const milestone = "/milestones/{milestone_id}/merge_requests"
	onIssue, read := workapi.ForIssue(policy.ReadIssue), ForRequest(policy.ReadMergeRequest)
	return []rest.Route{
		rest.Get(issue+"/related_merge_requests", onIssue, a.ofIssue(false)),
		rest.Get(issue+"/closed_by", onIssue, a.ofIssue(true)),
		rest.Get("/projects/{id}"+milestone, scope.HeldByProject(policy.ReadProject), a.ofMilestone),
		rest.Get("/groups/{id}"+milestone, scope.HeldByGroup(workapi.ReadGroupMilestone), a.ofMilestone),
		rest.Get("/projects/{id}/repository/commits/{sha}/merge_requests",
			scope.ForProject(policy.ReadCode, "read_repository"), a.ofCommit),
		rest.Get(one+"/closes_issues", read, a.issues(true)),
		rest.Get(one+"/related_issues", read, a.issues(false)),
	}
}

type page struct{ rest.Paging }

// ofIssue returns a handler that lists the merge requests that refer to an issue or, with closing,
// whose merge closes it.
func (a lists) ofIssue(closing bool) rest.Handler[workapi.InIssue, page, rest.List[listed]] {
	return func(ctx context.Context, s workapi.InIssue, in page) (rest.List[listed], error) {
		f := merge.Filter{Viewer: workapi.ViewerOf(s.Anyone), IssueID: &s.Issue.ID}
		if closing {
			f.Closes = &closing
		}
		return a.narrowed(ctx, s.Anyone, f, in.Paging, s.Project.FullPath)
	}
}

type commitContents struct {
	rest.Paging
	SHA   string `param:"sha"`
	State string `param:"state" default:"all" oneof:"all opened closed locked merged"`
}

// ofCommit lists the merge requests that bring a commit, or whose merge made it.
func (a lists) ofCommit(ctx context.Context, s scope.InProject, in commitContents) (rest.List[listed], error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return rest.List[listed]{}, err
	}
	id, err := g.Resolve(ctx, "Commit", in.SHA)
	if err != nil {
		return rest.List[listed]{}, err
	}
	f := merge.Filter{Viewer: workapi.ViewerOf(s.Anyone), In: s.Project.Container(), Commit: id[:]}
	f.None = !s.Can(policy.ReadMergeRequest)
	if in.State != "all" {
		f.State = in.State
	}
	return a.narrowed(ctx, s.Anyone, f, in.Paging, s.Project.FullPath)
}

type milestoneContents struct {
	rest.Paging
	MilestoneID int64 `param:"milestone_id"`
}

// ofMilestone lists the merge requests of a milestone that the caller sees.
func (a lists) ofMilestone(ctx context.Context, s scope.Container, in milestoneContents) (rest.List[listed], error) {
	m, err := work.Milestones(s.Store, s.Container).One(ctx, db.ByID(in.MilestoneID))
	if err != nil {
		return rest.List[listed]{}, err
	}
	f := merge.Filter{Viewer: workapi.ViewerOf(s.Anyone), MilestoneID: &m.ID}
	return a.narrowed(ctx, s.Anyone, f, in.Paging, m.Path)
}

// narrowed lists the merge requests that a filter admits, newest first.
func (a lists) narrowed(
	ctx context.Context, s scope.Anyone, f merge.Filter, p rest.Paging, from string,
) (rest.List[listed], error) {
	page := scope.PageOf(p)
	page.Order, page.Desc = "created_at", true
	found, total, err := merge.List(ctx, s.Store, f, page)
	if err != nil {
		return rest.List[listed]{}, err
	}
	shown, err := a.shown(ctx, s, found, requestViews{Site: a.Site, from: from}, false)
	return rest.Page(shown, total, err)
}

// issues returns a handler that lists the issues that a merge request refers to or, with closing,
// that its merge closes, as far as the caller sees them.
func (a lists) issues(closing bool) rest.Handler[InRequest, page, rest.List[workapi.IssueView]] {
	return func(ctx context.Context, s InRequest, in page) (list rest.List[workapi.IssueView], err error) {
		ids, err := merge.IssuesOf(ctx, s.Store, s.Request, closing)
		if err != nil {
			return list, err
		}
		p := scope.PageOf(in.Paging)
		p.Order = "created_at"
		f := work.IssueFilter{Viewer: workapi.ViewerOf(s.Anyone), IDs: append([]int64{}, ids...)}
		found, total, err := work.ListIssues(ctx, s.Store, f, p)
		if err != nil {
			return list, err
		}
		views, err := workapi.ViewIssueList(ctx, s.Anyone, a.Site, found, s.Project.FullPath)
		return rest.Page(views, total, err)
	}
}
