package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	groupapi "hew/server/group/api"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// projectActs delete, restore, archive, star and transfer projects (gaps §4.2).
type projectActs struct{ *view.Site }

func (a projectActs) routes() []rest.Route {
	read, archive, transfer := scope.ForProject(policy.ReadProject), scope.ForProject(archiveProject),
		scope.ForProject(transferProject)
	return []rest.Route{
		rest.Delete("/projects/{id}", scope.ForProject(deleteProject), a.delete).Status(202),
		rest.Post("/projects/{id}/restore", scope.ForProject(restoreProject), a.restore),
		rest.Post("/projects/{id}/archive", archive, a.archive(project.ArchiveProject)),
		rest.Post("/projects/{id}/unarchive", archive, a.archive(project.UnarchiveProject)),
		rest.Post("/projects/{id}/star", read, a.star(project.Star)),
		rest.Post("/projects/{id}/unstar", read, a.star(project.Unstar)),
		rest.Put("/projects/{id}/transfer", transfer, a.transfer),
		rest.Get("/projects/{id}/transfer_locations", transfer, a.listLocations),
		rest.Post("/groups/{id}/projects/{project_id}", scope.ForGroup(policy.AdminInstance), a.transferInto),
	}
}

type projectDelete struct {
	Permanently bool   `param:"permanently_remove"`
	FullPath    string `param:"full_path"`
}

// delete marks the project for deletion or, if it is marked and its path is repeated, removes it.
func (a projectActs) delete(ctx context.Context, s scope.InProject, in projectDelete) (rest.None, error) {
	if err := rest.Unmodified(ctx, s.Project.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if in.Permanently {
		return rest.None{}, project.RemoveProject(ctx, s.Store, s.Project.ID, in.FullPath)
	}
	return rest.None{}, project.DeleteProject(ctx, s.Store, s.Project.ID, s.Caller.User)
}

func (a projectActs) restore(ctx context.Context, s scope.InProject, _ rest.None) (projectView, error) {
	return changedProject(ctx, a.Site, s.Anyone)(project.RestoreProject(ctx, s.Store, s.Project.ID))
}

func (a projectActs) archive(
	do func(context.Context, *db.Store, int64) (tree.Project, error),
) rest.Handler[scope.InProject, rest.None, projectView] {
	return func(ctx context.Context, s scope.InProject, _ rest.None) (projectView, error) {
		return changedProject(ctx, a.Site, s.Anyone)(do(ctx, s.Store, s.Project.ID))
	}
}

// star adds or removes the caller's star, and answers 304 if that changes nothing.
func (a projectActs) star(
	do func(ctx context.Context, h *db.Store, projectID, userID int64) (changed bool, err error),
) rest.Handler[scope.InProject, rest.None, projectView] {
	return func(ctx context.Context, s scope.InProject, _ rest.None) (projectView, error) {
		changed, err := do(ctx, s.Store, s.Project.ID, s.Caller.ID())
		if err == nil && !changed {
			err = fault.NotModified()
		}
		if err != nil {
			return projectView{}, err
		}
		return changedProject(ctx, a.Site, s.Anyone)(tree.FindProject(ctx, s.Store, s.Project.ID))
	}
}

type projectTransfer struct {
	Namespace string `param:"namespace,required,notempty"` // an id or a full path
}

func (a projectActs) transfer(ctx context.Context, s scope.InProject, in projectTransfer) (projectView, error) {
	space, err := projectSpace(ctx, s.Anyone, in.Namespace, s.Caller.User, CreateProject, receiveProject)
	if err != nil {
		return projectView{}, err
	}
	return changedProject(ctx, a.Site, s.Anyone)(project.TransferProject(ctx, s.Store, s.Project.ID, space))
}

// listLocations lists the groups that the caller could transfer the project to.
func (a projectActs) listLocations(
	ctx context.Context, s scope.InProject, in groupapi.LocationList,
) (rest.List[groupapi.LocationView], error) {
	f := group.GroupFilter{
		UserID: s.Caller.ID(), MinLevel: int(policy.Maintainer), Search: in.Search,
		Skip: []int64{s.Project.NamespaceID},
	}
	if s.Caller.Admin() {
		all := db.Private
		f.MinLevel, f.Open = 0, &all
	}
	page := db.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"}
	return rest.Pages(groupapi.LocationViewOf(a.Site))(group.Groups(ctx, s.Store, f, page))
}

type projectTransferInto struct {
	ProjectID string `param:"project_id"` // an id or a full path
}

// transferInto lets an administrator move any project into the group, and answers with the group.
func (a projectActs) transferInto(
	ctx context.Context, s scope.InGroup, in projectTransferInto,
) (groupapi.GroupDetail, error) {
	p, err := tree.ProjectFor(ctx, s.Store, in.ProjectID, s.Caller.ID())
	if err != nil {
		return groupapi.GroupDetail{}, err
	}
	if _, err := project.TransferProject(ctx, s.Store, p.ID, s.Group.Group); err != nil {
		return groupapi.GroupDetail{}, err
	}
	return groupapi.ChangedGroup(ctx, a.Site, s.Anyone, s.Group.Group)
}
