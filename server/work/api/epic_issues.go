package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// epicIssues serves the issues of epics (gaps §8).
type epicIssues struct{ *view.Site }

func (a epicIssues) at(path string) []rest.Route {
	one := path + "/{epic_issue_id}"
	return []rest.Route{
		rest.Get(path, ForEpic(readEpic), a.list),
		rest.Post(path+"/{issue_id}", ForEpic(adminEpic), a.add),
		rest.Put(one, ForEpic(adminEpic), a.reorder),
		rest.Delete(one, ForEpic(adminEpic), a.remove).Status(200),
	}
}

// epicIssueView is an issue as its epic lists it.
type epicIssueView struct {
	issueView
	PairID   *int64 `json:"epic_issue_id"`
	Position *int   `json:"relative_position"`
}

// epicIssuePair is an issue with its epic.
type epicIssuePair struct {
	ID    int64     `json:"id"`
	Epic  epicView  `json:"epic"`
	Issue issueView `json:"issue"`
}

func (a epicIssues) list(ctx context.Context, s InEpic, in issuePage) (rest.List[epicIssueView], error) {
	return a.page(ctx, s, in)
}

// page returns the issues of the epic that the caller sees, in the order of the epic.
func (a epicIssues) page(ctx context.Context, s InEpic, in issuePage) (rest.List[epicIssueView], error) {
	page := scope.PageOf(in.Paging)
	page.Order = "epic_position"
	f := work.IssueFilter{Viewer: ViewerOf(s.Anyone)}
	f.EpicID = work.Choice[int64]{Value: &s.Epic.ID}
	list, total, err := work.ListIssues(ctx, s.Store, f, page)
	if err != nil {
		return rest.List[epicIssueView]{}, err
	}
	views, err := issueViews{Site: a.Site, from: s.Group.FullPath}.of(ctx, s.Anyone, list)
	shown := make([]epicIssueView, len(views))
	for n, v := range views {
		shown[n] = epicIssueView{v, list[n].EpicIssueID, list[n].EpicPosition}
	}
	return rest.Page(shown, total, err)
}

// pair returns an issue with the epic of the request.
func (a epicIssues) pair(ctx context.Context, s InEpic, i work.Issue) (p epicIssuePair, err error) {
	p.ID = db.OrZero(i.EpicIssueID)
	if p.Epic, err = (epics(a)).one(ctx, s.InGroup, s.Epic); err != nil {
		return p, err
	}
	p.Issue, err = issueViews{Site: a.Site, from: s.Group.FullPath}.one(ctx, s.Anyone, i)
	return p, err
}

type epicIssueNew struct {
	IssueID int64 `param:"issue_id"`
}

func (a epicIssues) add(ctx context.Context, s InEpic, in epicIssueNew) (epicIssuePair, error) {
	p, err := a.project(ctx, s, in.IssueID)
	if err != nil {
		return epicIssuePair{}, err
	}
	i, err := work.AddToEpic(ctx, s.Store, p.Project.Project, s.Caller.User, s.Epic, in.IssueID)
	if err != nil {
		return epicIssuePair{}, err
	}
	if s.Epic, err = work.Epics(s.Store, s.Group.ID).One(ctx, db.ByID(s.Epic.ID)); err != nil {
		return epicIssuePair{}, err
	}
	return a.pair(ctx, s, i)
}

// project returns the project of an issue, if the caller sees the issue and may edit it.
func (a epicIssues) project(ctx context.Context, s InEpic, id int64) (p scope.InProject, err error) {
	f := work.IssueFilter{Viewer: ViewerOf(s.Anyone), IDs: []int64{id}}
	list, _, err := work.ListIssues(ctx, s.Store, f, db.Page{Limit: 1})
	switch {
	case err != nil:
		return p, err
	case len(list) == 0:
		return p, work.NoMatchingIssue()
	}
	p, err = s.InProjectRef(ctx, fmt.Sprint(list[0].ProjectID), adminIssue)
	if code := fault.CodeOf(err); code == fault.CodeNotFound || code == fault.CodeForbidden {
		return p, work.NoMatchingIssue()
	}
	return p, err
}

type epicIssueID struct {
	PairID int64 `param:"epic_issue_id"`
}

// find returns the issue of a pair with the epic, if the caller sees it.
func (a epicIssues) find(ctx context.Context, s InEpic, pair int64) (i work.Issue, err error) {
	f := work.IssueFilter{Viewer: ViewerOf(s.Anyone), EpicIssueID: &pair}
	f.EpicID = work.Choice[int64]{Value: &s.Epic.ID}
	list, _, err := work.ListIssues(ctx, s.Store, f, db.Page{Limit: 1})
	switch {
	case err != nil:
		return i, err
	case len(list) == 0:
		return i, fault.NotFound("")
	}
	return list[0], nil
}

func (a epicIssues) remove(ctx context.Context, s InEpic, in epicIssueID) (epicIssuePair, error) {
	i, err := a.find(ctx, s, in.PairID)
	if err != nil {
		return epicIssuePair{}, err
	}
	p, err := s.InProjectRef(ctx, fmt.Sprint(i.ProjectID), adminIssue)
	if err != nil {
		return epicIssuePair{}, err
	}
	was, err := work.RemoveFromEpic(ctx, s.Store, p.Project.Project, s.Caller.User, s.Epic, i.ID)
	if err != nil {
		return epicIssuePair{}, err
	}
	return a.pair(ctx, s, was)
}

// epicReorder names the neighbors of what moves: by the ids of pairs, or of child epics.
type epicReorder struct {
	Before rest.Opt[int64] `param:"move_before_id"` // that comes before it
	After  rest.Opt[int64] `param:"move_after_id"`  // that comes after it
	_      struct{}        `atleast:"move_before_id move_after_id"`
}

// movedTo turns the failure to move something between two others into the refusal of the API.
func movedTo(err error, what string) error {
	if fault.CodeOf(err) == fault.CodeNotFound {
		return fault.BadRequest(what + " could not be moved!").In(fault.Nested)
	}
	return err
}

type epicIssueReorder struct {
	epicIssueID
	epicReorder
	rest.Paging
}

func (a epicIssues) reorder(ctx context.Context, s InEpic, in epicIssueReorder) (rest.List[epicIssueView], error) {
	i, err := a.find(ctx, s, in.PairID)
	if err == nil {
		err = movedTo(work.ReorderInEpic(ctx, s.Store, s.Epic, i, in.Before.Or(0), in.After.Or(0)), "Issue")
	}
	if err != nil {
		return rest.List[epicIssueView]{}, err
	}
	return a.page(ctx, s, issuePage{in.Paging})
}
