package api

import (
	"context"
	"log/slog"
	"net/http"

	"hew/server/code"
	codeapi "hew/server/code/api"
	"hew/server/deadline"
	"hew/server/git/diff"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/view"
)

// requestDiffs serves what merge requests change (gaps §7.1, more §6.1).
type requestDiffs struct {
	*view.Site
	log *slog.Logger
}

func (a requestDiffs) routes() []rest.Route {
	const one = "/projects/{id}/merge_requests/{merge_request_iid}"
	read := ForRequest(policy.ReadCode)
	return []rest.Route{
		rest.Get(one+"/changes", read, a.changes),
		rest.Get(one+"/diffs", read, a.list),
		rest.Get(one+"/raw_diffs", read, a.raw),
		rest.Get(one+"/commits", read, a.commits),
		rest.Get(one+"/versions", read, a.versions),
		rest.Get(one+"/versions/{version_id}", read, a.version),
		rest.Get(one+"/reviewers", ForRequest(policy.ReadMergeRequest), a.reviewers),
	}
}

type diffList struct {
	rest.Paging
	Unified bool `param:"unidiff"`
}

func (a requestDiffs) list(ctx context.Context, s InRequest, in diffList) (rest.List[codeapi.DiffView], error) {
	page := rest.List[codeapi.DiffView]{}
	limits, err := code.DiffLimits(ctx, s.Store)
	if err != nil {
		return page, err
	}
	window := diff.Window{Offset: in.Offset(), Limit: in.Limit()}
	list, views, err := s.files(ctx, s.version(), limits, window, codeapi.Shown{Unified: in.Unified})
	page.Total, page.Items = list.Total, views
	return page, err
}

// version returns the commits of the last version, as the merge request has them.
func (s InRequest) version() merge.Version {
	return merge.Version{Head: s.Request.Head, Base: s.Request.Base, Start: s.Request.Start}
}

// files returns a window of the files that a version changes, with their views: none without a
// version.
func (s InRequest) files(
	ctx context.Context, v merge.Version, limits diff.ListLimits, w diff.Window, shown codeapi.Shown,
) (list diff.List, views []codeapi.DiffView, err error) {
	if v.Head.IsZero() {
		return list, []codeapi.DiffView{}, nil
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return list, nil, err
	}
	if list, err = g.DiffList(ctx, v.Base, v.Head, limits, w); err != nil {
		return list, nil, err
	}
	views, err = codeapi.ViewListed(ctx, g, v.Head, list.Files, shown)
	return list, views, err
}

type changesShow struct {
	Unified bool `param:"unidiff"`
	Raw     bool `param:"access_raw_diffs"` // whole, as far as the server can
	oneOptions
}

type changesView struct {
	oneView
	Changes  []codeapi.DiffView `json:"changes"`
	Overflow bool               `json:"overflow"`
}

// rawLimits are the limits of all files at once, which settings cannot lift (more §6.1).
func rawLimits() diff.ListLimits { return diff.LimitsOf(3000, 100_000, 512_000) }

// wholeList is the window of a whole list.
var wholeList = diff.Window{Limit: 3000}

func (a requestDiffs) changes(ctx context.Context, s InRequest, in changesShow) (v changesView, err error) {
	if v.oneView, err = (requests{a.Site}).detailed(ctx, s, in.oneOptions); err != nil {
		return v, err
	}
	limits := rawLimits()
	if !in.Raw {
		if limits, err = code.DiffLimits(ctx, s.Store); err != nil {
			return v, err
		}
	}
	shown := codeapi.Shown{Unified: in.Unified, Expanded: in.Raw}
	list, views, err := s.files(ctx, s.version(), limits, wholeList, shown)
	v.Changes, v.Overflow = views, list.Overflow != diff.NoOverflow
	return v, err
}

// raw answers with the difference as git prints it, of any size.
func (a requestDiffs) raw(ctx context.Context, s InRequest, _ rest.None) (rest.Raw, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return nil, err
	}
	v := s.version()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if r.Method == http.MethodHead || v.Head.IsZero() {
			return
		}
		if err := g.WriteDiff(r.Context(), v.Base, v.Head, deadline.NewWriter(r.Context(), w)); err != nil {
			a.log.WarnContext(r.Context(), "difference not sent", "project", s.Project.FullPath,
				"merge_request", s.Request.IID, "error", err)
			panic(http.ErrAbortHandler) // or the client takes a part for the whole
		}
	}), nil
}
