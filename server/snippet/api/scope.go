package api

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/auth"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/snippet"
	workapi "hew/server/work/api"
)

// InSnippet is the scope of a route of a snippet that the caller sees.
type InSnippet struct {
	scope.Anyone
	Snippet snippet.Snippet
	project *scope.InProject // nil: a personal one
}

// Who returns the caller, with the level in the project of the snippet.
func (s InSnippet) Who() policy.Who {
	if s.project != nil {
		return s.project.Who()
	}
	return scope.Who(s.Caller, 0)
}

// authorOf returns the caller as who changes the files.
func authorOf(s scope.Anyone, who policy.Who) code.Author {
	return code.Author{Pusher: protect.Pusher{Who: who}, User: s.Caller.User, Web: true}
}

// edits returns nil if the caller may change and delete the snippet.
func (s InSnippet) edits() error {
	own := s.Snippet.IsAuthor(s.Caller.ID())
	switch {
	case s.project == nil && (own || s.Caller.Admin()):
		return nil
	case s.project != nil && (s.project.Can(adminSnippet) || own && s.project.Can(createSnippet)):
		return nil
	}
	return fault.Forbidden("")
}

// seen returns a not-found fault if the caller does not see the snippet.
func (s InSnippet) seen() error {
	if !s.Snippet.SeenBy(s.Who()) || s.project != nil && !s.project.Can(readSnippet) {
		return fault.NotFound("Snippet")
	}
	return nil
}

func idOf(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("snippet_id"), 10, 64)
	if err != nil {
		return 0, fault.Param("snippet_id is invalid")
	}
	return id, nil
}

func guard(need policy.Ability, open func(context.Context, *http.Request) (InSnippet, error)) rest.Guard[InSnippet] {
	return rest.Guard[InSnippet]{Need: need.Name, Open: open}
}

// forAnySnippet returns a guard that finds the snippet {snippet_id}, of a user or of a project.
func forAnySnippet() rest.Guard[InSnippet] {
	anyone := scope.ForAnyone()
	return guard(readSnippet, func(ctx context.Context, r *http.Request) (InSnippet, error) {
		a, err := anyone.Open(ctx, r)
		if err != nil {
			return InSnippet{}, err
		}
		id, err := idOf(r)
		if err != nil {
			return InSnippet{}, err
		}
		return findSnippet(ctx, a, id)
	})
}

// findSnippet returns a snippet as a scope, if the caller sees it.
func findSnippet(ctx context.Context, a scope.Anyone, id int64) (s InSnippet, err error) {
	s.Anyone = a
	if s.Snippet, err = snippet.Find(ctx, a.Store, id); err != nil {
		return s, err
	}
	if err := s.openProject(ctx); err != nil {
		return s, err
	}
	return s, s.seen()
}

// openProject finds the project of the snippet, if it is in one.
func (s *InSnippet) openProject(ctx context.Context) error {
	held := s.Snippet.ProjectID
	if held == nil {
		return nil
	}
	p, err := scope.FindProject(ctx, s.Anyone, strconv.FormatInt(*held, 10))
	s.project = &p
	return err
}

// forProjectSnippet returns a guard that finds the snippet {snippet_id} of the project of the path.
func forProjectSnippet() rest.Guard[InSnippet] {
	project := scope.ForProject(readSnippet)
	return guard(readSnippet, func(ctx context.Context, r *http.Request) (InSnippet, error) {
		p, err := project.Open(ctx, r)
		if err != nil {
			return InSnippet{}, err
		}
		s := InSnippet{Anyone: p.Anyone, project: &p}
		id, err := idOf(r)
		if err != nil {
			return s, err
		}
		if s.Snippet, err = snippet.FindInProject(ctx, p.Store, p.Project.ID, id); err != nil {
			return s, err
		}
		return s, s.seen()
	})
}

// edited returns a guard of those whom another one admits and who may change the snippet. The check
// is repeated under the first lock of the request.
func edited(g rest.Guard[InSnippet]) rest.Guard[InSnippet] {
	return guard(adminSnippet, func(ctx context.Context, r *http.Request) (InSnippet, error) {
		if !auth.From(ctx).Known() {
			return InSnippet{}, fault.Unauthorized()
		}
		s, err := g.Open(ctx, r)
		if err != nil {
			return s, err
		}
		s.Store.OnLock(func(ctx context.Context, tx *db.Store) error {
			now, err := findSnippet(ctx, scope.Anyone{Store: tx, Caller: s.Caller}, s.Snippet.ID)
			if err == nil {
				err = now.edits()
			}
			return err
		})
		return s, s.edits()
	})
}

// adminsOnly refuses callers who are not administrators.
func adminsOnly(_ context.Context, s InSnippet) error {
	if !s.Caller.Admin() {
		return fault.Forbidden("")
	}
	return nil
}

// filter returns a filter of the snippets that the caller sees.
func filter(a scope.Anyone) snippet.Filter { return snippet.Filter{Viewer: workapi.ViewerOf(a)} }
