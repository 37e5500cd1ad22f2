package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// forks are the projects that were forked from another one. Package code/api serves their creation,
// which copies a repository.
type forks struct{ *view.Site }

func (a forks) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/projects/{id}/forks", scope.ForProject(policy.ReadProject), a.list),
		rest.Post("/projects/{id}/fork/{forked_from_id}", scope.ForProject(linkFork), a.link),
		rest.Delete("/projects/{id}/fork", scope.ForProject(linkFork), a.unlink),
		rest.Get("/projects/{id}/storage", scope.ForProject(policy.AdminInstance), a.storage),
	}
}

func (a forks) list(ctx context.Context, s scope.InProject, in projectList) (rest.List[projectView], error) {
	f := in.filter(s.Anyone)
	f.ForkOf = s.Project.ID
	return projects(a).listFiltered(ctx, s.Anyone, in, f)
}

type forkLink struct {
	ForkedFrom string `param:"forked_from_id"` // an id or a full path
}

func (a forks) link(ctx context.Context, s scope.InProject, in forkLink) (projectView, error) {
	parent, err := tree.ProjectFor(ctx, s.Store, in.ForkedFrom, s.Caller.ID())
	if err != nil {
		return projectView{}, err
	}
	from := scope.InProject{Anyone: s.Anyone, Project: parent}
	if err := from.Place().Admit(policy.ForkProject, ""); err != nil {
		return projectView{}, err
	}
	return changedProject(ctx, a.Site, s.Anyone)(project.LinkFork(ctx, s.Store, s.Project.ID, parent.Project))
}

func (a forks) unlink(ctx context.Context, s scope.InProject, _ rest.None) (rest.None, error) {
	if err := rest.Unmodified(ctx, s.Project.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, project.UnlinkFork(ctx, s.Store, s.Project.ID)
}

// storageView says where a repository is. It has the path that the public API would give it; here
// repositories are rows.
type storageView struct {
	ProjectID int64     `json:"project_id"`
	DiskPath  string    `json:"disk_path"`
	CreatedAt time.Time `json:"created_at"`
	Storage   string    `json:"repository_storage"`
}

func (a forks) storage(_ context.Context, s scope.InProject, _ rest.None) (storageView, error) {
	hash := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, s.Project.ID)))
	return storageView{
		ProjectID: s.Project.ID, DiskPath: "@hashed/" + hash[:2] + "/" + hash[2:4] + "/" + hash,
		CreatedAt: s.Project.CreatedAt, Storage: s.Project.Settings.RepositoryStorage,
	}, nil
}

// ProjectView is a project as its own routes answer it.
type ProjectView = projectView

// ViewOf returns the view of a project for the caller.
func ViewOf(ctx context.Context, a *view.Site, s scope.Anyone, p tree.Project) (ProjectView, error) {
	return projectViewOf(ctx, a, s, p, projectExtras{})
}

// ForkSpace returns the namespace for a fork of a project by the caller: an id or a full path, the
// caller's own if it is empty. One that the caller cannot have projects in is not found.
func ForkSpace(ctx context.Context, s scope.Anyone, parent tree.Project, ref string) (tree.Group, error) {
	if ref == "" {
		ref = fmt.Sprint(s.Caller.User.NamespaceID)
	}
	space, err := projectSpace(ctx, s, ref, s.Caller.User, CreateProject)
	if code := fault.CodeOf(err); code == fault.CodeNotFound || code == fault.CodeInvalid {
		return space, fault.NotFound("Target Namespace")
	}
	if err != nil {
		return space, err
	}
	return space, project.CheckForkTarget(ctx, s.Store, parent, space)
}

// parentsOf returns the parents of those projects that are forks, by id, as far as the caller sees
// them.
func parentsOf(
	ctx context.Context, a *view.Site, s scope.Anyone, list []tree.Project,
) (map[int64]*view.SimpleProject, error) {
	f := project.ProjectFilter{UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller)}
	for _, p := range list {
		if p.ForkedFromID != nil {
			f.IDs = append(f.IDs, *p.ForkedFromID)
		}
	}
	if len(f.IDs) == 0 {
		return nil, nil
	}
	found, _, err := project.Projects(ctx, s.Store, f, db.Page{Limit: len(f.IDs)})
	parents := map[int64]*view.SimpleProject{}
	for _, p := range found {
		parents[p.ID] = new(a.SimpleProject(p))
	}
	return parents, err
}
