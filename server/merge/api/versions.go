package api

import (
	"context"
	"encoding/hex"
	"time"

	"hew/server/code"
	codeapi "hew/server/code/api"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// versionView is a version of a merge request as lists show it (more §6.1).
type versionView struct {
	ID        int64     `json:"id"`
	Head      string    `json:"head_commit_sha"`
	Base      string    `json:"base_commit_sha"`
	Start     string    `json:"start_commit_sha"`
	CreatedAt time.Time `json:"created_at"`
	RequestID int64     `json:"merge_request_id"`
	State     string    `json:"state"`
	Size      string    `json:"real_size"` // of files; "1000+" of those that a limit ends
	PatchID   *string   `json:"patch_id_sha"`
}

func viewVersion(v merge.Version) versionView {
	shown := versionView{
		ID: v.ID, Head: v.Head.String(), Base: v.Base.String(), Start: v.Start.String(), CreatedAt: v.CreatedAt,
		RequestID: v.RequestID, State: v.State, Size: v.Size(),
	}
	if len(v.PatchID) > 0 {
		shown.PatchID = new(hex.EncodeToString(v.PatchID))
	}
	return shown
}

type versionList struct{ rest.Paging }

func (requestDiffs) versions(ctx context.Context, s InRequest, in versionList) (rest.List[versionView], error) {
	return rest.Pages(viewVersion)(merge.Versions(ctx, s.Store, s.Request, scope.PageOf(in.Paging)))
}

type versionShow struct {
	ID      int64 `param:"version_id"`
	Unified bool  `param:"unidiff"`
}

// wholeVersion is a version with what it brings.
type wholeVersion struct {
	versionView
	Commits []codeapi.CommitView `json:"commits"` // newest first
	Diffs   []codeapi.DiffView   `json:"diffs"`
}

// maxCommits limits the commits that a version shows.
const maxCommits = 1000

func (a requestDiffs) version(ctx context.Context, s InRequest, in versionShow) (shown wholeVersion, err error) {
	v, err := merge.FindVersion(ctx, s.Store, s.Request, in.ID)
	if err != nil {
		return shown, err
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return shown, err
	}
	commits, _, err := v.Commits(ctx, g, db.Page{Limit: maxCommits})
	if err != nil {
		return shown, err
	}
	limits, err := code.DiffLimits(ctx, s.Store)
	if err != nil {
		return shown, err
	}
	shown.versionView, shown.Commits = viewVersion(v), []codeapi.CommitView{}
	for _, c := range commits {
		shown.Commits = append(shown.Commits, codeapi.ViewCommit(a.Site, s.Project.Project, c))
	}
	_, shown.Diffs, err = s.files(ctx, v, limits, wholeList, codeapi.Shown{Unified: in.Unified})
	return shown, err
}

type commitList struct{ rest.Paging }

func (a requestDiffs) commits(ctx context.Context, s InRequest, in commitList) (rest.List[codeapi.CommitView], error) {
	v := s.version()
	if v.Head.IsZero() {
		return rest.List[codeapi.CommitView]{}, nil
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return rest.List[codeapi.CommitView]{}, err
	}
	show := func(c code.Commit) codeapi.CommitView { return codeapi.ViewCommit(a.Site, s.Project.Project, c) }
	return rest.Pages(show)(v.Commits(ctx, g, scope.PageOf(in.Paging)))
}

type reviewerView struct {
	User      *view.BasicUser `json:"user"`
	State     string          `json:"state"`
	CreatedAt time.Time       `json:"created_at"`
}

func (a requestDiffs) reviewers(ctx context.Context, s InRequest, _ rest.None) ([]reviewerView, error) {
	list, err := merge.Reviewers(ctx, s.Store, s.Request)
	views := make([]reviewerView, len(list))
	for n := range list {
		views[n] = reviewerView{a.Author(&list[n].User), list[n].State, list[n].CreatedAt}
	}
	return views, err
}
