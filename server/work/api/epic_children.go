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

// epicChildren serves the child epics of epics (gaps §8).
type epicChildren struct{ *view.Site }

func (a epicChildren) at(path string) []rest.Route {
	one := path + "/{child_epic_id}"
	return []rest.Route{
		rest.Get(path, ForEpic(readEpic), a.list),
		rest.Post(path, ForEpic(adminEpic), a.create),
		rest.Post(one, ForEpic(adminEpic), a.add),
		rest.Put(one, ForEpic(adminEpic), a.reorder),
		rest.Delete(one, ForEpic(adminEpic), a.remove).Status(200),
	}
}

func (a epicChildren) list(ctx context.Context, s InEpic, in issuePage) (rest.List[epicView], error) {
	page := scope.PageOf(in.Paging)
	page.Order = "relative_position"
	f := work.EpicFilter{Viewer: ViewerOf(s.Anyone), ParentID: &s.Epic.ID}
	return epics(a).page(ctx, s.InGroup, f, page, false)
}

// childView is a new child as its parent shows it.
type childView struct {
	ID          int64  `json:"id"`
	IID         int    `json:"iid"`
	Title       string `json:"title"`
	GroupID     int64  `json:"group_id"`
	ParentID    *int64 `json:"parent_id"`
	HasChildren bool   `json:"has_children"`
	HasIssues   bool   `json:"has_issues"`
	Reference   string `json:"reference"`
	URL         string `json:"url"`
	RelationURL string `json:"relation_url"`
}

type childNew struct {
	Title        string `param:"title,required"`
	Confidential *bool  `param:"confidential"` // as the parent if it is not given
}

func (a epicChildren) create(ctx context.Context, s InEpic, in childNew) (childView, error) {
	e, err := work.CreateEpic(ctx, s.Store, s.Group.Group, s.Caller.User, func(_ *db.Store, e *work.Epic) error {
		e.Title, e.ParentID, e.Confidential = in.Title, &s.Epic.ID, s.Epic.Confidential
		if in.Confidential != nil {
			e.Confidential = *in.Confidential
		}
		return nil
	})
	return childView{
		ID: e.ID, IID: e.IID, Title: e.Title, GroupID: e.NamespaceID, ParentID: e.ParentID, HasChildren: e.Children,
		HasIssues: e.Issues, Reference: e.ReferenceFrom(s.Group.FullPath),
		URL:         a.Web(fmt.Sprintf("groups/%s/-/epics/%d", e.Path, e.IID)),
		RelationURL: fmt.Sprintf("/groups/%s/-/epics/%d/links/%d", s.Group.FullPath, s.Epic.IID, e.ID),
	}, err
}

type childID struct {
	ID int64 `param:"child_epic_id"`
}

func (a epicChildren) add(ctx context.Context, s InEpic, in childID) (epicView, error) {
	child, err := otherEpic(ctx, s.Anyone, in.ID, adminEpic)
	if code := fault.CodeOf(err); code == fault.CodeNotFound || code == fault.CodeForbidden {
		err = work.NoMatchingEpic()
	}
	if err != nil {
		return epicView{}, err
	}
	e, err := work.AddChild(ctx, s.Store, child.Group.Group, s.Caller.User, s.Epic, child.Epic)
	if err != nil {
		return epicView{}, err
	}
	return epics(a).one(ctx, s.InGroup, e)
}

// find returns a child of the epic, if the caller sees it.
func (a epicChildren) find(ctx context.Context, s InEpic, id int64) (InEpic, error) {
	child, err := otherEpic(ctx, s.Anyone, id, readEpic)
	if err == nil && db.OrZero(child.Epic.ParentID) != s.Epic.ID {
		err = fault.NotFound("Epic")
	}
	return child, err
}

func (a epicChildren) remove(ctx context.Context, s InEpic, in childID) (epicView, error) {
	child, err := a.find(ctx, s, in.ID)
	if err != nil {
		return epicView{}, err
	}
	e, err := work.RemoveChild(ctx, s.Store, child.Group.Group, s.Caller.User, s.Epic, child.Epic)
	if err != nil {
		return epicView{}, err
	}
	return epics(a).one(ctx, s.InGroup, e)
}

type childReorder struct {
	childID
	epicReorder
	rest.Paging
}

func (a epicChildren) reorder(ctx context.Context, s InEpic, in childReorder) (rest.List[epicView], error) {
	child, err := a.find(ctx, s, in.ID)
	if err == nil {
		err = movedTo(work.ReorderChild(ctx, s.Store, s.Epic, child.Epic, in.Before.Or(0), in.After.Or(0)), "Epic")
	}
	if err != nil {
		return rest.List[epicView]{}, err
	}
	return a.list(ctx, s, issuePage{in.Paging})
}
