package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

type groupDelete struct {
	PermanentlyRemove bool   `param:"permanently_remove"`
	FullPath          string `param:"full_path"`
}

// delete is scheduled work, hence 202.
func (a groups) delete(ctx context.Context, g scope.InGroup, in groupDelete) (rest.None, error) {
	if err := rest.Unmodified(ctx, g.Group.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if in.PermanentlyRemove {
		return rest.None{}, group.RemoveGroup(ctx, g.Store, g.Group.ID, in.FullPath)
	}
	return rest.None{}, group.DeleteGroup(ctx, g.Store, g.Group.ID, g.Caller.User)
}

func (a groups) restore(ctx context.Context, g scope.InGroup, _ rest.None) (GroupDetail, error) {
	after, err := group.RestoreGroup(ctx, g.Store, g.Group.ID)
	if err != nil {
		return GroupDetail{}, err
	}
	return ChangedGroup(ctx, a.Site, g.Anyone, after)
}

type groupTransfer struct {
	GroupID *int64 `param:"group_id"` // absent: to the top
}

// transfer takes the right to create there what is moved there.
func (a groups) transfer(ctx context.Context, g scope.InGroup, in groupTransfer) (GroupDetail, error) {
	switch {
	case in.GroupID != nil:
		if _, err := g.InGroup(ctx, *in.GroupID, createSubgroup); err != nil {
			return GroupDetail{}, err
		}
	case !g.Anyone.Can(createGroup):
		return GroupDetail{}, fault.Forbidden("")
	}
	after, err := group.TransferGroup(ctx, g.Store, g.Group.ID, in.GroupID, g.Caller.User)
	if err != nil {
		return GroupDetail{}, err
	}
	return ChangedGroup(ctx, a.Site, g.Anyone, after)
}

type PlaceList struct {
	rest.Paging
	Search string `param:"search"`
}

// PlaceView is a group as far as one has to know it to choose it.
type PlaceView struct {
	ID        int64   `json:"id"`
	WebURL    string  `json:"web_url"`
	Name      string  `json:"name"`
	AvatarURL *string `json:"avatar_url"`
	FullName  string  `json:"full_name"`
	FullPath  string  `json:"full_path"`
}

func PlaceViewOf(a *view.Site, g group.ListedGroup) PlaceView {
	return PlaceView{
		ID: g.ID, WebURL: a.Web("groups/" + g.FullPath), Name: g.Name, AvatarURL: a.Picture(g.Avatar),
		FullName: g.FullName, FullPath: g.FullPath,
	}
}

func (a groups) listLocations(ctx context.Context, g scope.InGroup, in PlaceList) (rest.List[PlaceView], error) {
	f := group.GroupFilter{UserID: g.Caller.ID(), Into: g.Group.ID, Search: in.Search}
	if g.Caller.Admin() {
		open := db.Private
		f.Open = &open
	}
	page := db.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}
	return rest.Pages(func(g group.ListedGroup) PlaceView { return PlaceViewOf(a.Site, g) })(group.Groups(ctx, g.Store, f, page))
}
