package api

import (
	"context"
	"strconv"
	"time"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// issueLinks serves the links between issues.
type issueLinks struct{ *view.Site }

func (a issueLinks) routes() []rest.Route {
	const path, one = "/projects/{id}/issues/{issue_iid}/links", "/projects/{id}/issues/{issue_iid}/links/{issue_link_id}"
	return []rest.Route{
		rest.Get(path, ForIssue(policy.ReadIssue), a.list),
		rest.Get(one, ForIssue(policy.ReadIssue), a.show),
		rest.Post(path, ForIssue(adminIssue), a.create),
		rest.Delete(one, ForIssue(adminIssue), a.delete).Status(200),
	}
}

// linkedIssue is an issue at the other end of a link.
type linkedIssue struct {
	issueView
	LinkID    int64     `json:"issue_link_id"`
	Type      string    `json:"link_type"`
	CreatedAt time.Time `json:"link_created_at"`
	UpdatedAt time.Time `json:"link_updated_at"`
}

func (a issueLinks) list(ctx context.Context, s InIssue, in issuePage) (rest.List[linkedIssue], error) {
	links, err := work.LinksOf(ctx, s.Store, s.Issue.Target())
	if err != nil {
		return rest.List[linkedIssue]{}, err
	}
	byID, err := a.others(ctx, s, links)
	var seen []linkedIssue
	for _, l := range links {
		if v, ok := byID[l.Other(s.Issue.ID)]; ok {
			seen = append(seen, linkedIssue{v, l.ID, l.TypeFrom(s.Issue.ID), l.CreatedAt, l.UpdatedAt})
		}
	}
	return rest.PageOf(seen, in.Paging, func(l linkedIssue) linkedIssue { return l }), err
}

// others returns the issues at the other ends that the caller sees, by id.
func (a issueLinks) others(ctx context.Context, s InIssue, links []work.Link) (map[int64]issueView, error) {
	ids := make([]int64, len(links))
	for n, l := range links {
		ids[n] = l.Other(s.Issue.ID)
	}
	f := work.IssueFilter{Viewer: ViewerOf(s.Anyone), IDs: ids}
	page := scope.PageOf(rest.Paging{Page: 1, PerPage: len(ids)})
	list, _, err := work.ListIssues(ctx, s.Store, f, page)
	if err != nil {
		return nil, err
	}
	views, err := issueViews{Site: a.Site, from: s.Project.FullPath}.of(ctx, s.Anyone, list)
	byID := make(map[int64]issueView, len(views))
	for _, v := range views {
		byID[v.ID] = v
	}
	return byID, err
}

type issueLinkID struct {
	ID int64 `param:"issue_link_id"`
}

type issueLinkView struct {
	ID     int64     `json:"id"`
	Source issueView `json:"source_issue"`
	Target issueView `json:"target_issue"`
	Type   string    `json:"link_type"`
}

// find returns a link of the issue with the issue at its other end, if the caller sees that.
func (a issueLinks) find(ctx context.Context, s InIssue, id int64) (l work.Link, other issueView, err error) {
	links, err := work.LinksOf(ctx, s.Store, s.Issue.Target())
	if err != nil {
		return l, other, err
	}
	for _, l = range links {
		if l.ID != id {
			continue
		}
		byID, err := a.others(ctx, s, []work.Link{l})
		if err != nil {
			return l, other, err
		}
		if other, ok := byID[l.Other(s.Issue.ID)]; ok {
			return l, other, nil
		}
	}
	return l, other, fault.NotFound("Issue Link")
}

// view returns a link from the side of the issue of the request.
func (a issueLinks) view(ctx context.Context, s InIssue, l work.Link, other issueView) (issueLinkView, error) {
	self, err := issueViews{Site: a.Site, from: s.Project.FullPath}.one(ctx, s.Anyone, s.Issue)
	return issueLinkView{ID: l.ID, Source: self, Target: other, Type: l.TypeFrom(s.Issue.ID)}, err
}

func (a issueLinks) show(ctx context.Context, s InIssue, in issueLinkID) (issueLinkView, error) {
	l, other, err := a.find(ctx, s, in.ID)
	if err != nil {
		return issueLinkView{}, err
	}
	return a.view(ctx, s, l, other)
}

type issueLinkNew struct {
	Project string `param:"target_project_id,required"`
	IID     string `param:"target_issue_iid,required"`
	Type    string `param:"link_type" default:"relates_to" oneof:"relates_to blocks is_blocked_by"`
}

func (a issueLinks) create(ctx context.Context, s InIssue, in issueLinkNew) (issueLinkView, error) {
	target, err := a.target(ctx, s, in)
	if err != nil {
		return issueLinkView{}, err
	}
	l, err := work.LinkIssues(ctx, s.Store, s.Caller.User, s.Issue, target, in.Type)
	if err != nil {
		return issueLinkView{}, err
	}
	_, other, err := a.find(ctx, s, l.ID)
	if err != nil {
		return issueLinkView{}, err
	}
	return a.view(ctx, s, l, other)
}

// target returns the issue that is to be linked, if the caller sees it.
func (a issueLinks) target(ctx context.Context, s InIssue, in issueLinkNew) (i work.Issue, err error) {
	p, err := s.InProjectRef(ctx, in.Project, policy.ReadIssue)
	iid, wrong := strconv.Atoi(in.IID)
	if err != nil || wrong != nil {
		return i, work.NoMatchingIssue()
	}
	if i, err = ViewerOf(s.Anyone).Issue(ctx, s.Store, p.Project.ID, p.Who().Level, iid); err != nil {
		return i, work.NoMatchingIssue()
	}
	return i, nil
}

func (a issueLinks) delete(ctx context.Context, s InIssue, in issueLinkID) (issueLinkView, error) {
	l, other, err := a.find(ctx, s, in.ID)
	if err != nil {
		return issueLinkView{}, err
	}
	byID, err := work.IssuesByID(ctx, s.Store, []int64{other.ID})
	if err != nil {
		return issueLinkView{}, err
	}
	if err := work.Unlink(ctx, s.Store, s.Caller.User, l, s.Issue, byID[other.ID]); err != nil {
		return issueLinkView{}, err
	}
	return a.view(ctx, s, l, other)
}
