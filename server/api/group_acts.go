package api

import (
	"context"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

type groupDelete struct {
	PermanentlyRemove bool   `param:"permanently_remove"`
	FullPath          string `param:"full_path"`
}

// delete is scheduled work, hence 202.
func (a groups) delete(ctx context.Context, g InGroup, in groupDelete) (rest.None, error) {
	if err := rest.Unmodified(ctx, g.Group.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if in.PermanentlyRemove {
		return rest.None{}, forge.RemoveGroup(ctx, g.Store, a.Jobs, g.Group.ID, in.FullPath)
	}
	return rest.None{}, forge.DeleteGroup(ctx, g.Store, a.Jobs, g.Group.ID, g.Caller.User)
}

func (a groups) restore(ctx context.Context, g InGroup, _ rest.None) (groupDetail, error) {
	after, err := forge.RestoreGroup(ctx, g.Store, g.Group.ID)
	if err != nil {
		return groupDetail{}, err
	}
	return a.changedGroup(ctx, g.Anyone, after)
}

type groupTransfer struct {
	GroupID *int64 `param:"group_id"` // absent: to the top
}

// transfer takes the right to create there what is moved there.
func (a groups) transfer(ctx context.Context, g InGroup, in groupTransfer) (groupDetail, error) {
	switch {
	case in.GroupID != nil:
		if _, err := g.inGroup(ctx, *in.GroupID, policy.CreateSubgroup); err != nil {
			return groupDetail{}, err
		}
	case !g.Anyone.Can(policy.CreateGroup):
		return groupDetail{}, fault.Forbidden("")
	}
	after, err := forge.TransferGroup(ctx, g.Store, a.Jobs, g.Group.ID, in.GroupID, g.Caller.User)
	if err != nil {
		return groupDetail{}, err
	}
	return a.changedGroup(ctx, g.Anyone, after)
}

type placeList struct {
	rest.Paging
	Search string `param:"search"`
}

// placeView is a group as far as one has to know it to choose it.
type placeView struct {
	ID        int64   `json:"id"`
	WebURL    string  `json:"web_url"`
	Name      string  `json:"name"`
	AvatarURL *string `json:"avatar_url"`
	FullName  string  `json:"full_name"`
	FullPath  string  `json:"full_path"`
}

func (a *Site) placeView(g store.ListedGroup) placeView {
	return placeView{
		ID: g.ID, WebURL: a.web("groups/" + g.FullPath), Name: g.Name, AvatarURL: a.picture(g.Avatar),
		FullName: g.FullName, FullPath: g.FullPath,
	}
}

func (a groups) listLocations(ctx context.Context, g InGroup, in placeList) (rest.List[placeView], error) {
	f := store.GroupFilter{UserID: g.Caller.ID(), Into: g.Group.ID, Search: in.Search}
	if g.Caller.Admin() {
		open := store.Private
		f.Open = &open
	}
	page := store.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}
	return rest.Pages(func(g store.ListedGroup) placeView { return a.placeView(g) })(g.Store.Groups(ctx, f, page))
}
