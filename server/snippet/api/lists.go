package api

import (
	"context"
	"time"

	"hew/server/rest"
	"hew/server/scope"
	"hew/server/snippet"
)

// lists are the lists of snippets (transfer §3.3).
type lists struct{ snippets }

func (a lists) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/snippets", scope.ForSigned(), a.own),
		rest.Get("/snippets/public", scope.ForSigned(), a.public),
		rest.Get("/snippets/all", scope.ForSigned(), a.all),
		rest.Get("/projects/{id}/snippets", scope.ForProject(readSnippet), a.ofProject),
	}
}

type snippetList struct {
	rest.Paging
	CreatedAfter  *time.Time `param:"created_after"`
	CreatedBefore *time.Time `param:"created_before"`
}

func (a lists) list(
	ctx context.Context, s scope.Anyone, f snippet.Filter, in snippetList,
) (rest.List[snippetView], error) {
	f.CreatedAfter, f.CreatedBefore = in.CreatedAfter, in.CreatedBefore
	return rest.Pages(a.view)(snippet.List(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

// own answers the snippets that the caller has made, also those in projects.
func (a lists) own(ctx context.Context, s scope.Signed, in snippetList) (rest.List[snippetView], error) {
	f := filter(s.Anyone)
	f.AuthorID = new(s.Caller.ID())
	return a.list(ctx, s.Anyone, f, in)
}

// public answers the personal snippets that everybody sees.
func (a lists) public(ctx context.Context, s scope.Signed, in snippetList) (rest.List[snippetView], error) {
	f := filter(s.Anyone)
	f.Personal, f.Public = true, true
	return a.list(ctx, s.Anyone, f, in)
}

// all answers every snippet that the caller sees, also those of projects.
func (a lists) all(ctx context.Context, s scope.Signed, in snippetList) (rest.List[snippetView], error) {
	return a.list(ctx, s.Anyone, filter(s.Anyone), in)
}

type projectList struct{ rest.Paging }

func (a lists) ofProject(ctx context.Context, p scope.InProject, in projectList) (rest.List[snippetView], error) {
	f := filter(p.Anyone)
	f.ProjectID = &p.Project.ID
	return a.list(ctx, p.Anyone, f, snippetList{Paging: in.Paging})
}
