package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"hew/server/release"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// permalinks redirects to the latest release of a project and to files of releases (more-2 §8.2).
type permalinks struct{ *view.Site }

func (a permalinks) routes() []rest.Route {
	const latest = "/projects/{id}/releases/permalink/latest"
	read := forReaders()
	return []rest.Route{
		rest.Get(latest, read, a.latest),
		rest.Get(latest+"/{suffix_path...}", read, a.latest),
		rest.Get("/projects/{id}/releases/{tag_name}/downloads/{direct_asset_path...}", read, a.download),
	}
}

type latestRelease struct {
	Suffix string `param:"suffix_path"`
}

// latest redirects to the release with the latest released_at, with the rest of the path and of the
// query. It drops order_by, which the address of one release does not have.
func (a permalinks) latest(ctx context.Context, s scope.InProject, in latestRelease) (rest.Raw, error) {
	r, err := release.Latest(ctx, s.Store, s.Project.ID)
	if err != nil {
		return nil, err
	}
	to := fmt.Sprintf("%s/api/v4/projects/%d/releases/%s", a.Base, s.Project.ID, url.PathEscape(r.Tag))
	if in.Suffix != "" {
		to += (&url.URL{Path: "/" + in.Suffix}).EscapedPath()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var kept []string
		for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
			if name, _, _ := strings.Cut(pair, "="); pair != "" && name != "order_by" {
				kept = append(kept, pair)
			}
		}
		if len(kept) > 0 {
			to += "?" + strings.Join(kept, "&")
		}
		redirect(w, to)
	}), nil
}

type download struct {
	tagName
	Path string `param:"direct_asset_path"`
}

// download redirects to the address of the link that a release offers at a path.
func (a permalinks) download(ctx context.Context, s scope.InProject, in download) (rest.Raw, error) {
	r, err := release.Releases(s.Store, s.Project.ID).One(ctx, release.WithTag(in.Tag))
	if err != nil {
		return nil, err
	}
	l, err := release.LinkAt(r, "/"+in.Path)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { redirect(w, l.URL) }), nil
}

// redirect answers 302 without a body, so that no address gets into HTML.
func redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusFound)
}
