package api

import (
	"context"
	"net/http"

	"hew/server/code"
	"hew/server/rest"
	"hew/server/scope"
)

type commitPick struct {
	commitSHA
	Branch string `param:"branch,required"`
	DryRun bool   `param:"dry_run"`
}

type cherryPick struct {
	commitPick
	Message string `param:"message"`
}

// dryRun answers a request that would have succeeded.
type dryRun struct {
	DryRun string `json:"dry_run"`
}

func (a commits) cherryPick(ctx context.Context, s scope.InProject, in cherryPick) (rest.Raw, error) {
	return a.pick(ctx, s, in.commitPick, code.Pick{Message: in.Message})
}

func (a commits) revert(ctx context.Context, s scope.InProject, in commitPick) (rest.Raw, error) {
	return a.pick(ctx, s, in, code.Pick{Revert: true})
}

func (a commits) pick(ctx context.Context, s scope.InProject, in commitPick, p code.Pick) (rest.Raw, error) {
	_, c, err := in.find(ctx, s)
	if err != nil {
		return nil, err
	}
	p.Project, p.By, p.Branch, p.Commit, p.DryRun = s.Project.Project, AuthorOf(s), in.Branch, c.ID, in.DryRun
	made, err := code.PickCommit(ctx, s.Store, p)
	if err != nil {
		return nil, err
	}
	if in.DryRun {
		return rest.JSON(http.StatusOK, dryRun{"success"}), nil
	}
	return rest.JSON(http.StatusCreated, a.views(s).view(made)), nil
}
