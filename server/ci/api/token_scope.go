package api

import (
	"context"
	"strconv"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// tokenScopes are the routes of who may act on a project with the token of a job (CI facts §2.2).
type tokenScopes struct{ *view.Site }

func (a tokenScopes) routes() []rest.Route {
	const path = "/projects/{id}/job_token_scope"
	admin := scope.ForProject(adminTokenScope)
	return []rest.Route{
		rest.Get(path, admin, a.show),
		rest.Patch(path, admin, a.update).Status(204),
		rest.Get(path+"/allowlist", admin, a.projects),
		rest.Post(path+"/allowlist", admin, a.addProject),
		rest.Delete(path+"/allowlist/{target_project_id}", admin, a.removeProject),
		rest.Get(path+"/groups_allowlist", admin, a.groups),
		rest.Post(path+"/groups_allowlist", admin, a.addGroup),
		rest.Delete(path+"/groups_allowlist/{target_group_id}", admin, a.removeGroup),
	}
}

// tokenScopeView says whose job tokens count.
type tokenScopeView struct {
	Inbound  bool `json:"inbound_enabled"`  // only those of the allowlists
	Outbound bool `json:"outbound_enabled"` // always off: the other project decides
}

func (tokenScopes) show(_ context.Context, s scope.InProject, _ rest.None) (tokenScopeView, error) {
	return tokenScopeView{Inbound: s.Project.Settings.CIInboundTokenScope}, nil
}

type tokenScopeChange struct {
	Enabled bool `param:"enabled,required"`
}

func (tokenScopes) update(ctx context.Context, s scope.InProject, in tokenScopeChange) (rest.None, error) {
	_, err := project.ChangeProject(ctx, s.Store, s.Project.ID, func(p *tree.Project) error {
		p.Settings.CIInboundTokenScope = in.Enabled
		return nil
	})
	return rest.None{}, err
}

type admittedList struct{ rest.Paging }

func (a tokenScopes) projects(
	ctx context.Context, s scope.InProject, in admittedList,
) (rest.List[view.SimpleProject], error) {
	open := db.Internal
	if s.Caller.User.External {
		open = db.Public
	}
	return rest.Pages(a.SimpleProject)(
		ci.AdmittedProjects(ctx, s.Store, s.Project.ID, s.Viewer(), open, scope.PageOf(in.Paging)))
}

// admitted is what an allowlist got.
type admitted struct {
	SourceProjectID int64  `json:"source_project_id"`
	TargetProjectID *int64 `json:"target_project_id,omitempty"`
	TargetGroupID   *int64 `json:"target_group_id,omitempty"`
}

func admittedOf(t ci.TokenScope) admitted {
	return admitted{SourceProjectID: t.ProjectID, TargetProjectID: t.FromProjectID, TargetGroupID: t.FromGroupID}
}

type targetProject struct {
	ID int64 `param:"target_project_id,required"`
}

func (a tokenScopes) addProject(ctx context.Context, s scope.InProject, in targetProject) (admitted, error) {
	target, err := s.InProjectRef(ctx, strconv.FormatInt(in.ID, 10), policy.ReadProject)
	if err != nil {
		return admitted{}, err
	}
	return rest.Show(admittedOf)(ci.TokenScopes(s.Store, s.Project.ID).Create(ctx,
		ci.TokenScope{ProjectID: s.Project.ID, FromProjectID: &target.Project.ID}))
}

type targetProjectID struct {
	ID int64 `param:"target_project_id"`
}

func (tokenScopes) removeProject(ctx context.Context, s scope.InProject, in targetProjectID) (rest.None, error) {
	return rest.None{}, ci.TokenScopes(s.Store, s.Project.ID).Delete(ctx, ci.AdmittedProject(in.ID), rest.Unmodified)
}

// groupView is a group of an allowlist.
type groupView struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	WebURL string `json:"web_url"`
}

func (a tokenScopes) groupView(g tree.Group) groupView {
	return groupView{g.ID, g.Name, a.Web("groups/" + g.FullPath)}
}

func (a tokenScopes) groups(ctx context.Context, s scope.InProject, in admittedList) (rest.List[groupView], error) {
	return rest.Pages(a.groupView)(ci.AdmittedGroups(ctx, s.Store, s.Project.ID, s.Viewer(), scope.PageOf(in.Paging)))
}

type targetGroup struct {
	ID int64 `param:"target_group_id,required"`
}

func (a tokenScopes) addGroup(ctx context.Context, s scope.InProject, in targetGroup) (admitted, error) {
	target, err := s.InGroup(ctx, in.ID, policy.ReadGroup)
	if err != nil {
		return admitted{}, err
	}
	return rest.Show(admittedOf)(ci.TokenScopes(s.Store, s.Project.ID).Create(ctx,
		ci.TokenScope{ProjectID: s.Project.ID, FromGroupID: &target.Group.ID}))
}

type targetGroupID struct {
	ID int64 `param:"target_group_id"`
}

func (tokenScopes) removeGroup(ctx context.Context, s scope.InProject, in targetGroupID) (rest.None, error) {
	return rest.None{}, ci.TokenScopes(s.Store, s.Project.ID).Delete(ctx, ci.AdmittedGroup(in.ID), rest.Unmodified)
}
