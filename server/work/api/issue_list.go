package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// issueLists serves the lists and statistics of issues (spec 2 §4.1, gaps §6.1).
type issueLists struct{ *view.Site }

func (a issueLists) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/issues", scope.SearchLimited(scope.ForAnyone()), a.all),
		rest.Get("/groups/{id}/issues", scope.SearchLimited(scope.ForGroup(policy.ReadGroup)), a.inGroup),
		rest.Get("/projects/{id}/issues", scope.SearchLimited(scope.ForProject(policy.ReadIssue)), a.inProject),
		rest.Get("/issues_statistics", scope.ForAnyone(), a.countAll),
		rest.Get("/groups/{id}/issues_statistics", scope.ForGroup(policy.ReadGroup), a.countInGroup),
		rest.Get("/projects/{id}/issues_statistics", scope.ForProject(policy.ReadIssue), a.countInProject),
	}
}

// issueOrders are the orders of lists of issues.
type issueOrders struct {
	rest.Paging
	OrderBy string `param:"order_by" default:"created_at" oneof:"created_at due_date label_priority milestone_due popularity priority relative_position title updated_at weight"`
	Sort    string `param:"sort" default:"desc" oneof:"asc desc"`
	Details bool   `param:"with_labels_details"`
}

func (in issueOrders) page() db.Page {
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	return page
}

// issueScope narrows a list to issues of the caller.
type issueScope struct {
	Scope string `param:"scope" oneof:"created_by_me assigned_to_me all created-by-me assigned-to-me"`
}

// narrow narrows a filter to the issues of the caller; unless is what an absent parameter means.
func (in issueScope) narrow(f *work.IssueFilter, s scope.Anyone, unless string) error {
	word := in.Scope
	if word == "" {
		word = unless
	}
	if word == "all" {
		return nil
	}
	if !s.Caller.Signed() {
		return fault.Unauthorized()
	}
	id := s.Caller.ID()
	if word == "assigned_to_me" || word == "assigned-to-me" {
		f.AssignedTo = &id
		return nil
	}
	f.CreatedBy = &id
	return nil
}

type issueListAll struct {
	issueOrders
	issueFilters
	issueScope
	NonArchived bool `param:"non_archived" default:"true"`
}

// defaultScope is the scope of lists of the instance (spec 2 §4.1).
const defaultScope = "created_by_me"

func (a issueLists) all(ctx context.Context, s scope.Anyone, in issueListAll) (rest.List[issueView], error) {
	f, err := in.filter(s)
	if err == nil {
		err = in.narrow(&f, s, defaultScope)
	}
	if err != nil {
		return rest.List[issueView]{}, err
	}
	f.NonArchived = in.NonArchived
	return a.list(ctx, s, f, in.issueOrders, "")
}

func (a issueLists) inGroup(ctx context.Context, s scope.InGroup, in issueListAll) (rest.List[issueView], error) {
	f, err := in.filter(s.Anyone)
	if err == nil {
		err = in.narrow(&f, s.Anyone, "all")
	}
	if err != nil {
		return rest.List[issueView]{}, err
	}
	f.In, f.NonArchived = s.Group.Container(), in.NonArchived
	return a.list(ctx, s.Anyone, f, in.issueOrders, s.Group.FullPath)
}

type issueListHere struct {
	issueOrders
	issueFilters
	issueScope
}

func (a issueLists) inProject(ctx context.Context, s scope.InProject, in issueListHere) (rest.List[issueView], error) {
	f, err := in.filter(s.Anyone)
	if err == nil {
		err = in.narrow(&f, s.Anyone, "all")
	}
	if err != nil {
		return rest.List[issueView]{}, err
	}
	f.In, f.Level = s.Project.Container(), s.Who().Level
	return a.list(ctx, s.Anyone, f, in.issueOrders, s.Project.FullPath)
}

func (a issueLists) list(
	ctx context.Context, s scope.Anyone, f work.IssueFilter, in issueOrders, from string,
) (rest.List[issueView], error) {
	list, total, err := work.ListIssues(ctx, s.Store, f, in.page())
	if err != nil {
		return rest.List[issueView]{}, err
	}
	views, err := issueViews{Site: a.Site, from: from, details: in.Details}.of(ctx, s, list)
	return rest.Page(views, total, err)
}

// issueCounts are the numbers of issues, as statistics show them.
type issueCounts struct {
	Statistics struct {
		Counts work.IssueCounts `json:"counts"`
	} `json:"statistics"`
}

type issueCountAll struct {
	issueFilters
	issueScope
}

func (a issueLists) countAll(ctx context.Context, s scope.Anyone, in issueCountAll) (issueCounts, error) {
	return a.count(ctx, s, in, db.Container{}, policy.NoAccess, defaultScope)
}

func (a issueLists) countInGroup(ctx context.Context, s scope.InGroup, in issueCountAll) (issueCounts, error) {
	return a.count(ctx, s.Anyone, in, s.Group.Container(), policy.NoAccess, "all")
}

func (a issueLists) countInProject(ctx context.Context, s scope.InProject, in issueCountAll) (issueCounts, error) {
	return a.count(ctx, s.Anyone, in, s.Project.Container(), s.Who().Level, "all")
}

func (a issueLists) count(
	ctx context.Context, s scope.Anyone, in issueCountAll, at db.Container, level policy.Level, unless string,
) (counts issueCounts, err error) {
	f, err := in.filter(s)
	if err == nil {
		err = in.narrow(&f, s, unless)
	}
	if err != nil {
		return counts, err
	}
	f.In, f.Level = at, level
	counts.Statistics.Counts, err = work.CountIssues(ctx, s.Store, f)
	return counts, err
}
