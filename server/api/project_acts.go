package api

import (
	"context"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// projectActs are what can be done to a project as a whole (gaps §4.2).
type projectActs struct{ *Site }

func (a projectActs) routes() []rest.Route {
	read, archive, transfer := a.project(policy.ReadProject), a.project(policy.ArchiveProject), a.project(policy.TransferProject)
	return []rest.Route{
		rest.Delete("/projects/{id}", a.project(policy.DeleteProject), a.delete).Status(202),
		rest.Post("/projects/{id}/restore", a.project(policy.RestoreProject), a.restore),
		rest.Post("/projects/{id}/archive", archive, a.archive(forge.ArchiveProject)),
		rest.Post("/projects/{id}/unarchive", archive, a.archive(forge.UnarchiveProject)),
		rest.Post("/projects/{id}/star", read, a.star(func(st *store.Store, ctx context.Context, a, b int64) (bool, error) { return st.Star(ctx, a, b) })),
		rest.Post("/projects/{id}/unstar", read, a.star(func(st *store.Store, ctx context.Context, a, b int64) (bool, error) { return st.Unstar(ctx, a, b) })),
		rest.Put("/projects/{id}/transfer", transfer, a.transfer),
		rest.Get("/projects/{id}/transfer_locations", transfer, a.listLocations),
		rest.Post("/groups/{id}/projects/{project_id}", a.group(policy.AdminInstance), a.transferInto),
	}
}

// projectGit are the endpoints about a project that are about its repository.
type projectGit struct{ *Site }

func (a projectGit) routes() []rest.Route {
	read, manage := a.project(policy.ReadProject), a.project(policy.AdminProject)
	return []rest.Route{
		rest.Post("/projects/{id}/fork", read, a.awaits("forking a project")),
		rest.Get("/projects/{id}/forks", read, a.awaits("forking a project")),
		rest.Get("/projects/{id}/languages", read, a.awaits("the list of languages")),
		rest.Get("/projects/{id}/storage", a.project(policy.AdminInstance), a.awaits("the storage of a repository")),
		rest.Post("/projects/{id}/housekeeping", manage, a.awaits("housekeeping")),
	}
}

func (projectGit) awaits(what string) rest.Handler[InProject, rest.None, rest.None] {
	return func(context.Context, InProject, rest.None) (rest.None, error) {
		return rest.None{}, fault.NotImplemented(what + " comes with the git repositories")
	}
}

type projectDelete struct {
	Permanently bool   `param:"permanently_remove"`
	FullPath    string `param:"full_path"`
}

// delete marks the project for deletion or, if it is marked and its path is repeated, removes it.
func (a projectActs) delete(ctx context.Context, s InProject, in projectDelete) (rest.None, error) {
	if err := rest.Unmodified(ctx, s.Project.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if in.Permanently {
		return rest.None{}, forge.RemoveProject(ctx, s.Store, a.Jobs, s.Project.ID, in.FullPath)
	}
	return rest.None{}, forge.DeleteProject(ctx, s.Store, a.Jobs, s.Project.ID, s.Caller.User)
}

func (a projectActs) restore(ctx context.Context, s InProject, _ rest.None) (projectView, error) {
	return a.changedProject(ctx, s.Anyone)(forge.RestoreProject(ctx, s.Store, s.Project.ID))
}

func (a projectActs) archive(
	do func(context.Context, *store.Store, int64) (store.Project, error),
) rest.Handler[InProject, rest.None, projectView] {
	return func(ctx context.Context, s InProject, _ rest.None) (projectView, error) {
		return a.changedProject(ctx, s.Anyone)(do(ctx, s.Store, s.Project.ID))
	}
}

// star notes that the caller likes the project, or no longer does. When that is no news nothing is said.
func (a projectActs) star(
	do func(*store.Store, context.Context, int64, int64) (bool, error),
) rest.Handler[InProject, rest.None, projectView] {
	return func(ctx context.Context, s InProject, _ rest.None) (projectView, error) {
		changed, err := do(s.Store, ctx, s.Project.ID, s.Caller.ID())
		if err == nil && !changed {
			err = fault.NotModified()
		}
		if err != nil {
			return projectView{}, err
		}
		return a.changedProject(ctx, s.Anyone)(s.Store.Project(ctx, s.Project.ID))
	}
}

type projectTransfer struct {
	Namespace string `param:"namespace,required,notempty"` // an id or a full path
}

func (a projectActs) transfer(ctx context.Context, s InProject, in projectTransfer) (projectView, error) {
	space, err := projectSpace(ctx, s.Anyone, in.Namespace, s.Caller.User)
	if err != nil {
		return projectView{}, err
	}
	return a.changedProject(ctx, s.Anyone)(forge.TransferProject(ctx, s.Store, s.Project.ID, space))
}

// listLocations lists the groups that the caller could transfer the project to.
func (a projectActs) listLocations(ctx context.Context, s InProject, in placeList) (rest.List[placeView], error) {
	f := store.GroupFilter{UserID: s.Caller.ID(), MinLevel: int(policy.Maintainer), Search: in.Search, Skip: []int64{s.Project.NamespaceID}}
	if s.Caller.Admin() {
		all := store.Private
		f.MinLevel, f.Open = 0, &all
	}
	return rest.Pages(func(g store.ListedGroup) placeView { return a.placeView(g) })(s.Store.Groups(ctx, f, store.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}))
}

type projectTransferInto struct {
	ProjectID string `param:"project_id"` // an id or a full path
}

// transferInto lets an administrator move any project into the group, and answers with the group.
func (a projectActs) transferInto(ctx context.Context, s InGroup, in projectTransferInto) (groupDetail, error) {
	p, err := s.Store.ProjectFor(ctx, in.ProjectID, s.Caller.ID())
	if err != nil {
		return groupDetail{}, err
	}
	if _, err := forge.TransferProject(ctx, s.Store, p.ID, s.Group.Group); err != nil {
		return groupDetail{}, err
	}
	return a.changedGroup(ctx, s.Anyone, s.Group.Group)
}
