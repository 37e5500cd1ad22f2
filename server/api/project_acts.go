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
func (a *API) projectActs() []rest.Route {
	read, archive, transfer := a.project(policy.ReadProject), a.project(policy.ArchiveProject), a.project(policy.TransferProject)
	return []rest.Route{
		rest.Delete("/projects/{id}", a.project(policy.DeleteProject), a.deleteProject).Status(202),
		rest.Post("/projects/{id}/restore", a.project(policy.RestoreProject), a.restoreProject),
		rest.Post("/projects/{id}/archive", archive, a.archiveProject(true)),
		rest.Post("/projects/{id}/unarchive", archive, a.archiveProject(false)),
		rest.Post("/projects/{id}/star", read, a.starProject((*store.Store).Star)),
		rest.Post("/projects/{id}/unstar", read, a.starProject((*store.Store).Unstar)),
		rest.Put("/projects/{id}/transfer", transfer, a.transferProject),
		rest.Get("/projects/{id}/transfer_locations", transfer, a.listProjectLocations),
		rest.Post("/groups/{id}/projects/{project_id}", a.group(policy.AdminInstance), a.transferToGroup),
	}
}

// projectGit are the endpoints about a project that are about its repository.
func (a *API) projectGit() []rest.Route {
	read, manage := a.project(policy.ReadProject), a.project(policy.AdminProject)
	return []rest.Route{
		rest.Post("/projects/{id}/fork", read, awaitsGit("forking a project")),
		rest.Get("/projects/{id}/forks", read, awaitsGit("forking a project")),
		rest.Get("/projects/{id}/languages", read, awaitsGit("the list of languages")),
		rest.Get("/projects/{id}/storage", a.project(policy.AdminInstance), awaitsGit("the storage of a repository")),
		rest.Post("/projects/{id}/housekeeping", manage, awaitsGit("housekeeping")),
	}
}

func awaitsGit(what string) rest.Handler[InProject, rest.None, rest.None] {
	return func(context.Context, InProject, rest.None) (rest.None, error) {
		return rest.None{}, fault.NotImplemented(what + " comes with the git repositories")
	}
}

type deleteProjectIn struct {
	Permanently bool   `param:"permanently_remove"`
	FullPath    string `param:"full_path"`
}

// deleteProject marks the project for deletion or, if it is marked and its path is repeated, removes it.
func (a *API) deleteProject(ctx context.Context, s InProject, in deleteProjectIn) (rest.None, error) {
	if err := rest.Unmodified(ctx, s.Project.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if in.Permanently {
		return rest.None{}, forge.RemoveProject(ctx, s.Store, a.Jobs, s.Project.ID, in.FullPath)
	}
	return rest.None{}, forge.DeleteProject(ctx, s.Store, a.Jobs, s.Project.ID, s.Caller.ID())
}

func (a *API) restoreProject(ctx context.Context, s InProject, _ rest.None) (any, error) {
	return a.shown(ctx, s.Anyone)(forge.RestoreProject(ctx, s.Store, s.Project.ID))
}

func (a *API) archiveProject(archived bool) rest.Handler[InProject, rest.None, any] {
	return func(ctx context.Context, s InProject, _ rest.None) (any, error) {
		return a.shown(ctx, s.Anyone)(forge.ArchiveProject(ctx, s.Store, s.Project.ID, archived))
	}
}

// starProject notes that the caller likes the project, or no longer does. When that is no news nothing is said.
func (a *API) starProject(do func(*store.Store, context.Context, int64, int64) (bool, error)) rest.Handler[InProject, rest.None, any] {
	return func(ctx context.Context, s InProject, _ rest.None) (any, error) {
		changed, err := do(s.Store, ctx, s.Caller.ID(), s.Project.ID)
		if err == nil && !changed {
			err = fault.NotModified()
		}
		if err != nil {
			return nil, err
		}
		return a.shown(ctx, s.Anyone)(s.Store.Project(ctx, s.Project.ID))
	}
}

type transferProjectIn struct {
	Namespace string `param:"namespace,required,notempty"` // an id or a full path
}

func (a *API) transferProject(ctx context.Context, s InProject, in transferProjectIn) (any, error) {
	space, err := projectSpace(ctx, s.Anyone, in.Namespace, s.Caller.User)
	if err != nil {
		return nil, err
	}
	return a.shown(ctx, s.Anyone)(forge.TransferProject(ctx, s.Store, s.Project.ID, space))
}

// listProjectLocations lists the groups that the caller could transfer the project to.
func (a *API) listProjectLocations(ctx context.Context, s InProject, in transferLocationsIn) (rest.List[placeView], error) {
	f := store.GroupFilter{UserID: s.Caller.ID(), MinLevel: int(policy.Maintainer), Search: in.Search, Skip: []int64{s.Project.NamespaceID}}
	if s.Caller.Admin() {
		all := store.Private
		f.MinLevel, f.Open = 0, &all
	}
	return rest.Pages(a.placeView)(s.Store.Groups(ctx, f, store.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}))
}

type transferToGroupIn struct {
	ProjectID string `param:"project_id"` // an id or a full path
}

// transferToGroup lets an administrator move any project into the group, and answers with the group.
func (a *API) transferToGroup(ctx context.Context, s InGroup, in transferToGroupIn) (groupDetail, error) {
	p, err := s.Store.ProjectFor(ctx, in.ProjectID, s.Caller.ID())
	if err != nil {
		return groupDetail{}, err
	}
	if _, err := forge.TransferProject(ctx, s.Store, p.ID, s.Group.Group); err != nil {
		return groupDetail{}, err
	}
	return a.changedGroup(ctx, s.Anyone, s.Group.Group)
}

// shown passes a changed project on to showProject, and an error to the caller.
func (a *API) shown(ctx context.Context, s Anyone) func(store.Project, error) (any, error) {
	return func(p store.Project, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return a.showProject(ctx, s, p, projectExtras{})
	}
}
