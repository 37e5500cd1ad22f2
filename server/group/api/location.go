package api

import (
	"context"

	"hew/server/db"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

type LocationList struct {
	rest.Paging
	Search string `param:"search"`
}

// LocationView is a group as far as one has to know it to choose it.
type LocationView struct {
	ID        int64   `json:"id"`
	WebURL    string  `json:"web_url"`
	Name      string  `json:"name"`
	AvatarURL *string `json:"avatar_url"`
	FullName  string  `json:"full_name"`
	FullPath  string  `json:"full_path"`
}

func LocationViewOf(a *view.Site, g group.ListedGroup) LocationView {
	return LocationView{
		ID: g.ID, WebURL: a.Web("groups/" + g.FullPath), Name: g.Name, AvatarURL: a.Picture(g.Avatar),
		FullName: g.FullName, FullPath: g.FullPath,
	}
}

func (a groups) listLocations(ctx context.Context, g scope.InGroup, in LocationList) (rest.List[LocationView], error) {
	f := group.GroupFilter{UserID: g.Caller.ID(), Into: g.Group.ID, Search: in.Search}
	if g.Caller.Admin() {
		open := db.Private
		f.Open = &open
	}
	page := db.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}
	return rest.Pages(func(g group.ListedGroup) LocationView { return LocationViewOf(a.Site, g) })(group.Groups(ctx, g.Store, f, page))
}
