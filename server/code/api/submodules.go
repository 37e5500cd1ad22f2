package api

import (
	"context"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// submodules sets submodules to other commits.
type submodules struct{ *view.Site }

func (a submodules) routes() []rest.Route {
	push := forBranch()
	return []rest.Route{rest.Put("/projects/{id}/repository/submodules/{submodule}", push, a.update)}
}

type submoduleUpdate struct {
	Submodule string `param:"submodule"`
	Branch    string `param:"branch,required"`
	CommitSHA string `param:"commit_sha,required"`
	Message   string `param:"commit_message"`
}

func (a submodules) update(ctx context.Context, s scope.InProject, in submoduleUpdate) (commitDetails, error) {
	id, err := object.ParseID(in.CommitSHA)
	if err != nil {
		return commitDetails{}, fault.Param("commit_sha is invalid")
	}
	c, err := code.UpdateSubmodule(ctx, s.Store, code.SubmoduleUpdate{
		Project: s.Project.Project, By: AuthorOf(s), Branch: in.Branch, Path: in.Submodule, Commit: id,
		Message: in.Message,
	})
	if err != nil {
		return commitDetails{}, err
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return commitDetails{}, err
	}
	return commitViews{a.Site, s.Project.Project}.details(ctx, g, c, false)
}
