package api

import (
	"context"
	"fmt"
	"net/http"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
)

// source is the feed of a project or a group that a request is for.
type source struct {
	scope.Anyone
	packages.Feed
	base           string // the address that the request was sent to, up to the name of the feed
	publish        string // where packages are published; empty in a group
	checksumHeader string // Symbolchecksum
	queryID        string // the parameter id in the query, which in the path is that of the project
}

// open returns a guard that admits everybody to what a project says of its feed. The service
// documents need no token, and tell nothing but addresses.
func (a feed) open() rest.Guard[source] {
	return rest.Guard[source]{Need: "anyone", Open: func(ctx context.Context, r *http.Request) (source, error) {
		caller := scope.Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
		p, err := scope.FindProject(ctx, caller, r.PathValue("id"))
		s := a.inProject(p)
		s.checksumHeader, s.queryID = r.Header.Get("Symbolchecksum"), r.URL.Query().Get("id")
		return s, err
	}}
}

func (a feed) openGroup() rest.Guard[source] {
	return rest.Guard[source]{Need: "anyone", Open: func(ctx context.Context, r *http.Request) (source, error) {
		caller := scope.Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
		g, err := scope.FindGroup(ctx, caller, r.PathValue("id"))
		s := a.ofGroup(g)
		s.checksumHeader = r.Header.Get("Symbolchecksum")
		return s, err
	}}
}

// inProject returns the feed of a project.
func (a feed) inProject(p scope.InProject) source {
	base := fmt.Sprintf("%s/api/v4/projects/%d/packages/%s", a.Base, p.Project.ID, a.segment)
	return source{Anyone: p.Anyone, Feed: packages.Feed{ProjectID: p.Project.ID}, base: base, publish: base}
}

func (a feed) ofGroup(g scope.InGroup) source {
	base := fmt.Sprintf("%s/api/v4/groups/%d/-/packages/%s", a.Base, g.Group.ID, a.segment)
	return source{Anyone: g.Anyone, Feed: packages.Feed{GroupID: g.Group.ID}, base: base}
}

// inGroup returns a guard of the feed of a group, with what the caller may read there.
func (a feed) inGroup() rest.Guard[source] {
	group := scope.ForGroupBy(readGroupPackages, findGroupFeed, auth.JobScope, readScope)
	return rest.Guard[source]{Need: group.Need, Open: func(ctx context.Context, r *http.Request) (source, error) {
		g, err := group.Open(ctx, r)
		if err != nil {
			return source{}, err
		}
		s := a.ofGroup(g)
		s.Reader, err = readerOf(ctx, g)
		return s, err
	}}
}
