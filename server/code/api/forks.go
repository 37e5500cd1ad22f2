package api

import (
	"context"
	"strconv"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/project"
	projectapi "hew/server/project/api"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// forks serves the creation of forks (gaps §4.2).
type forks struct{ *view.Site }

// forkTimeout limits the creation of a fork. Most take a moment; one of a large repository with
// hidden objects packs all of its history.
const forkTimeout = 30 * time.Minute

func (a forks) routes() []rest.Route {
	return []rest.Route{
		rest.Post("/projects/{id}/fork", scope.ForProject(policy.ForkProject), a.create).WithoutTransaction().
			Timeout(forkTimeout),
	}
}

type forkNew struct {
	Namespace         string            `param:"namespace"` // an id or a full path
	NamespaceID       int64             `param:"namespace_id"`
	NamespacePath     string            `param:"namespace_path"`
	Name              string            `param:"name"`
	Path              string            `param:"path"`
	Description       rest.Opt[*string] `param:"description"`
	Visibility        string            `param:"visibility" oneof:"private internal public"`
	Branches          []string          `param:"branches,comma"`
	DefaultTargetSelf rest.Opt[bool]    `param:"mr_default_target_self"`
	_                 struct{}          `exclusive:"namespace namespace_id namespace_path"`
}

// space returns the reference of the namespace; "" for the caller's own.
func (in forkNew) space() string {
	switch {
	case in.NamespaceID != 0:
		return strconv.FormatInt(in.NamespaceID, 10)
	case in.NamespacePath != "":
		return in.NamespacePath
	}
	return in.Namespace
}

// into sets the given fields of a fork.
func (in forkNew) into(p *tree.Project) {
	in.Description.Into(&p.Description)
	in.DefaultTargetSelf.Into(&p.Settings.DefaultTargetSelf)
	if in.Name != "" {
		p.Name = in.Name
	}
	if in.Path != "" {
		p.Path = in.Path
	}
}

func (a forks) create(ctx context.Context, s scope.InProject, in forkNew) (projectapi.ProjectView, error) {
	if !s.Can(policy.ReadCode) {
		return projectapi.ProjectView{}, fault.Forbidden("")
	}
	p, err := code.Fork(ctx, s.Store, code.NewFork{
		Parent: s.Project.Project, By: s.Caller.User, Branches: in.Branches,
		Project: func(ctx context.Context, st *db.Store) (tree.Project, error) {
			caller := scope.Anyone{Store: st, Caller: s.Caller}
			space, err := projectapi.ForkSpace(ctx, caller, s.Project.Project, in.space())
			if err != nil {
				return tree.Project{}, err
			}
			want := db.Public
			if in.Visibility != "" {
				want = db.ParseVisibility(in.Visibility)
			}
			p, err := project.NewFork(ctx, st, s.Project.Project, space, s.Caller.User, want)
			in.into(&p)
			return p, err
		},
	})
	if err != nil {
		return projectapi.ProjectView{}, err
	}
	return projectapi.ViewOf(ctx, a.Site, s.Anyone, p)
}

// relative returns a project that a parameter names, an id or a full path: the one of the request
// or, if the caller may read its code, another one of its fork network. Those of other networks are
// forbidden.
func relative(ctx context.Context, s scope.InProject, ref string) (tree.Project, error) {
	p, err := tree.ProjectFor(ctx, s.Store, ref, s.Caller.ID())
	if err != nil {
		return p.Project, err
	}
	from := scope.InProject{Anyone: s.Anyone, Project: p}
	ours, theirs := s.Project.ForkNetworkID, p.ForkNetworkID
	switch {
	case !from.Can(policy.ReadCode):
		err = fault.NotFound("Project")
	case p.ID != s.Project.ID && (ours == nil || theirs == nil || *ours != *theirs):
		err = fault.Forbidden("")
	}
	return p.Project, err
}
