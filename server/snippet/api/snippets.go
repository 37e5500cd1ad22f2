package api

import (
	"context"
	"net/http"
	"path"
	"strconv"

	"hew/server/blob/serve"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/snippet"
	"hew/server/view"
)

// snippets are the snippets of users and projects (transfer §3.3, more-2 §9).
type snippets struct{ *view.Site }

func (a snippets) routes() (routes []rest.Route) {
	for _, at := range []struct {
		base  string
		guard rest.Guard[InSnippet]
	}{
		{"/snippets/{snippet_id}", forAnySnippet()},
		{"/projects/{id}/snippets/{snippet_id}", forProjectSnippet()},
	} {
		edit := edited(at.guard)
		routes = append(routes,
			rest.Get(at.base, at.guard, a.show),
			rest.Put(at.base, edit, a.update),
			rest.Delete(at.base, edit, a.delete),
			rest.Get(at.base+"/raw", at.guard, a.raw),
			rest.Get(at.base+"/files/{ref}/{file_path}/raw", at.guard, a.rawFile),
			rest.Get(at.base+"/user_agent_detail", scope.Unless(at.guard, adminsOnly), a.userAgent),
		)
	}
	return append(routes,
		rest.Post("/snippets", ForCreators(), a.create),
		rest.Post("/projects/{id}/snippets", scope.ForProject(createSnippet), a.createInProject),
	)
}

// ForCreators returns a guard that admits users who may create personal snippets.
func ForCreators() rest.Guard[scope.Signed] {
	g := scope.Unless(scope.ForSigned(), func(_ context.Context, s scope.Signed) error {
		if !s.Can(createPersonal) {
			return fault.Forbidden("")
		}
		return nil
	})
	g.Need = createPersonal.Name
	return g
}

func (a snippets) view(s snippet.Snippet) snippetView { return viewOf(a.Site, s) }

func (a snippets) show(_ context.Context, s InSnippet, _ rest.None) (snippetView, error) {
	return a.view(s.Snippet), nil
}

func (a snippets) create(ctx context.Context, s scope.Signed, in snippetNew) (snippetView, error) {
	n := snippet.New{By: authorOf(s.Anyone, scope.Who(s.Caller, 0))}
	n.UserID = new(s.Caller.ID())
	return a.store(ctx, s.Store, n, in)
}

func (a snippets) createInProject(ctx context.Context, p scope.InProject, in snippetNew) (snippetView, error) {
	n := snippet.New{By: authorOf(p.Anyone, p.Who())}
	n.ProjectID = &p.Project.ID
	return a.store(ctx, p.Store, n, in)
}

func (a snippets) store(ctx context.Context, st *db.Store, n snippet.New, in snippetNew) (snippetView, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return snippetView{}, err
	}
	n.Title = in.Title
	in.Description.Into(&n.Description)
	n.Visibility = db.ParseVisibility(in.Visibility.Or(settings.DefaultSnippetVisibility))
	if n.Files, err = in.actions(); err != nil {
		return snippetView{}, err
	}
	return rest.Show(a.view)(snippet.Create(ctx, st, n))
}

func (a snippets) update(ctx context.Context, s InSnippet, in snippetChange) (snippetView, error) {
	e := snippet.Edit{By: authorOf(s.Anyone, s.Who()), Fields: in.fields}
	if in.Files.Given() || in.Content.Given() || in.FileName.Given() {
		e.Files = in.actions
	}
	return rest.Show(a.view)(snippet.Change(ctx, s.Store, s.Snippet.ID, e))
}

func (a snippets) delete(ctx context.Context, s InSnippet, _ rest.None) (rest.None, error) {
	return rest.None{}, snippet.Delete(ctx, s.Store, s.Snippet.ID, rest.Unmodified)
}

func (a snippets) raw(ctx context.Context, s InSnippet, _ rest.None) (rest.Raw, error) {
	f, err := s.Snippet.First(ctx, s.Store)
	return rawOf(f), err
}

type filePath struct {
	Ref  string `param:"ref"`
	Path string `param:"file_path"`
}

func (a snippets) rawFile(ctx context.Context, s InSnippet, in filePath) (rest.Raw, error) {
	f, err := s.Snippet.ReadFile(ctx, s.Store, in.Ref, in.Path)
	return rawOf(f), err
}

// rawOf answers with a file. Whatever it holds, browsers take it for plain text and save it: a page
// of a stranger must not run as one of this host.
func rawOf(f snippet.File) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Disposition", serve.Attachment(path.Base(f.Path)))
		h.Set("Content-Security-Policy", "sandbox")
		h.Set("Content-Length", strconv.Itoa(len(f.Data)))
		_, _ = w.Write(f.Data) // fails only if the client has gone
	})
}

// userAgent answers what is known of the client that made the snippet: nothing, since addresses are
// not kept.
func (snippets) userAgent(context.Context, InSnippet, rest.None) (rest.None, error) {
	return rest.None{}, fault.NotFound("UserAgentDetail")
}
