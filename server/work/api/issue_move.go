package api

import (
	"context"
	"fmt"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/scope"
	"hew/server/work"
)

type issueMove struct {
	To int64 `param:"to_project_id,required"`
}

// move moves an issue. Package work refuses users who may not do that in both projects.
func (a issues) move(ctx context.Context, s InIssue, in issueMove) (issueView, error) {
	to, err := targetProject(ctx, s, in.To)
	if err != nil {
		return issueView{}, err
	}
	i, err := work.MoveIssue(ctx, s.Store, s.Project.Project, to.Project.Project, s.Caller.User, s.Issue)
	if err != nil {
		return issueView{}, err
	}
	return a.one(ctx, to, i)
}

type issueClone struct {
	issueMove
	WithNotes bool `param:"with_notes"`
}

func (a issues) clone(ctx context.Context, s InIssue, in issueClone) (issueView, error) {
	to, err := targetProject(ctx, s, in.To)
	if err != nil {
		return issueView{}, err
	}
	i, err := work.CloneIssue(ctx, s.Store, s.Project.Project, to.Project.Project, s.Caller.User, s.Issue, in.WithNotes)
	if err != nil {
		return issueView{}, err
	}
	return a.one(ctx, to, i)
}

// targetProject returns the project that an issue is to get into, if the caller sees it.
func targetProject(ctx context.Context, s InIssue, id int64) (scope.InProject, error) {
	p, err := s.InProjectRef(ctx, fmt.Sprint(id), policy.ReadProject)
	if fault.CodeOf(err) == fault.CodeForbidden {
		err = fault.NotFound("Project")
	}
	return p, err
}
