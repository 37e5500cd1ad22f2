package api

import (
	"context"

	"hew/server/db"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// LocationList are the parameters of lists of groups to choose from.
type LocationList struct {
	rest.Paging
	Search string `param:"search"`
}

// LocationView is a group in a list to choose from.
type LocationView struct {
	ID        int64   `json:"id"`
	WebURL    string  `json:"web_url"`
	Name      string  `json:"name"`
	AvatarURL *string `json:"avatar_url"`
	FullName  string  `json:"full_name"`
	FullPath  string  `json:"full_path"`
}

// LocationViewOf returns a function that returns the view of a group on a site.
func LocationViewOf(site *view.Site) func(group.ListedGroup) LocationView {
	return func(g group.ListedGroup) LocationView {
		return LocationView{
			ID: g.ID, WebURL: site.Web("groups/" + g.FullPath), Name: g.Name, AvatarURL: site.Picture(g.Avatar),
			FullName: g.FullName, FullPath: g.FullPath,
		}
	}
}

func (a groups) listLocations(ctx context.Context, g scope.InGroup, in LocationList) (rest.List[LocationView], error) {
	f := group.GroupFilter{UserID: g.Caller.ID(), Into: g.Group.ID, Search: in.Search}
	if g.Caller.Admin() {
		open := db.Private
		f.Open = &open
	}
	page := db.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}
	return rest.Pages(LocationViewOf(a.Site))(group.Groups(ctx, g.Store, f, page))
}
