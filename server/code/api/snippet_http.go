package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// The addresses of git clients of snippets: snippets/7.git, and acme/site/snippets/7.git in a
// project. The page of a snippet, acme/site/-/snippets/7, is one, too.
var snippetAddress = regexp.MustCompile(`^/((?:.+/)?snippets/[0-9]{1,18})(?:\.git)?/` +
	`(info/refs|git-upload-pack|git-receive-pack)$`)

// SnippetRoute returns the route that an address of a git client of a snippet stands for.
func SnippetRoute(path string) (string, bool) {
	m := snippetAddress.FindStringSubmatch(path)
	if m == nil || strings.HasPrefix(path, "/api/") {
		return "", false
	}
	return "/api/v4/git-snippet/" + url.PathEscape(m[1]) + "/" + m[2], true
}

// Snippet is the repository of a snippet, as package snippet finds it for a caller.
type Snippet struct {
	At       code.Place
	By       code.Author
	Archived bool // it is in a project that is
	Pending  bool // it is in a project that is marked for deletion
	Reads    bool // the caller sees it
	Writes   bool // the caller may change it, but for the state of its project
}

// SnippetRoutes returns the routes of git clients of snippets. The callback finds the one at a
// path, and returns not found if there is none; then the path may be that of a project.
func SnippetRoutes(
	log *slog.Logger, find func(ctx context.Context, s scope.Anyone, path string) (Snippet, error),
) []rest.Route {
	admit := func(c client, ctx context.Context, path string) (client, error) {
		if c.Caller.JobToken != nil {
			return c, fault.Forbidden("A job token cannot read snippets. Use an access token.")
		}
		s, err := find(ctx, c.Anyone, path)
		if fault.CodeOf(err) == fault.CodeNotFound {
			at, err := c.ofProject(ctx, path)
			if fault.CodeOf(err) == fault.CodeNotFound {
				err = missing("Snippet")
			}
			return at, err
		}
		if err != nil {
			return c, err
		}
		c.At, c.Path, c.By = s.At, path, s.By
		c.By.Web = false
		return c, c.admitToSnippet(s)
	}
	a := smartHTTP{log}
	return a.routesAt("/git-snippet/{repository}", func(serviceOf func(*http.Request) string) rest.Guard[client] {
		return clientGuard(serviceOf, admit)
	})
}

// The abilities that admission knows for snippets; what they mean is in Snippet.
var (
	fetchSnippet = policy.Ability{Name: "fetch_snippet"}
	pushSnippet  = policy.Ability{Name: "push_snippet"}
)

func (c client) admitToSnippet(s Snippet) error {
	return c.admit(admission{
		what: "Snippet", path: c.Path, seen: s.Reads, archived: s.Archived, pending: s.Pending,
		can: func(a policy.Ability) bool {
			return a.Name == fetchSnippet.Name && s.Reads || a.Name == pushSnippet.Name && s.Writes
		},
		fetch: fetchSnippet, push: pushSnippet,
		noFetch: "You are not allowed to download this snippet.",
		noPush:  "You are not allowed to update this snippet.",
	})
}
