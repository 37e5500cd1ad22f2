package api

import (
	"context"

	"hew/server/code"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// AuthorOf returns the caller as who changes the repository through the API.
func AuthorOf(p scope.InProject) code.Author {
	return code.Author{Pusher: protect.Pusher{Who: p.Who()}, User: p.Caller.User, Web: true}
}

// forBranch returns a guard that admits callers who may push to some branch of the project:
// developers, and those whom a merge request lets push to its source branch. What they may push to
// is for package code to say.
func forBranch() rest.Guard[scope.InProject] {
	return scope.ForProjectBy(policy.PushBranch, findPusher)
}

// findPusher returns a project with whether a merge request lets the caller push to a branch.
func findPusher(ctx context.Context, caller scope.Anyone, ref string) (scope.InProject, error) {
	p, err := scope.FindProject(ctx, caller, ref)
	if err != nil {
		return p, err
	}
	return withCollaboration(ctx, p)
}

func withCollaboration(ctx context.Context, p scope.InProject) (_ scope.InProject, err error) {
	if !p.Can(policy.PushBranch) {
		p.Collaborates, err = protect.Collaborates(ctx, p.Store, p.Project.ID, protect.Pusher{Who: p.Who()})
	}
	return p, err
}

// InPushed returns a project, by id or full path, as a scope, if the caller may push to some branch
// of it; otherwise the fault that a route of it would answer with.
func InPushed(ctx context.Context, caller scope.Anyone, ref string) (scope.InProject, error) {
	p, err := findPusher(ctx, caller, ref)
	if err != nil {
		return p, err
	}
	return p, p.Place().Admit(policy.PushBranch, "")
}
