package api

import (
	"context"
	"path"
	"strconv"
	"strings"

	codeapi "hew/server/code/api"
	"hew/server/fault"
	"hew/server/part"
	"hew/server/scope"
	"hew/server/snippet"
)

// gitEndpoint serves git clients at http_url_to_repo.
func gitEndpoint(host part.Host) part.Endpoint {
	return part.Endpoint{
		Rewrite: codeapi.SnippetRoute, Routes: codeapi.SnippetRoutes(host.Log, findRepository), Realm: "GitLab",
	}
}

// findRepository returns the repository of the snippet at an address such as acme/site/snippets/7.
func findRepository(ctx context.Context, a scope.Anyone, address string) (codeapi.Snippet, error) {
	id, err := strconv.ParseInt(path.Base(address), 10, 64)
	if err != nil {
		return codeapi.Snippet{}, fault.NotFound("Snippet")
	}
	s := InSnippet{Anyone: a}
	if s.Snippet, err = snippet.Find(ctx, a.Store, id); err != nil {
		return codeapi.Snippet{}, err
	}
	owner := strings.TrimSuffix(path.Dir(address), "snippets")
	owner = strings.TrimSuffix(strings.TrimSuffix(owner, "-/"), "/")
	if s.Snippet.ProjectID == nil != (owner == "") {
		return codeapi.Snippet{}, fault.NotFound("Snippet")
	}
	if owner != "" { // where the project is, or was before it moved
		p, err := scope.FindProject(ctx, a, owner)
		if err == nil && p.Project.ID != *s.Snippet.ProjectID {
			err = fault.NotFound("Snippet")
		}
		if err != nil {
			return codeapi.Snippet{}, err
		}
		s.project = &p
	}
	found := codeapi.Snippet{
		At: s.Snippet.Place(), By: authorOf(a, s.Who()), Reads: s.seen() == nil, Writes: s.edits() == nil,
	}
	if s.project != nil {
		found.Archived, found.Pending = s.project.Project.Archived, s.project.Project.Pending
	}
	return found, nil
}
