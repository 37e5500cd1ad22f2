package api

import (
	"context"
	"strconv"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// runners are the routes of runners for those who administer them (spec 3 §2.5, §4.4; gaps §10.4,
// §10.5).
type runners struct{ *view.Site }

func (a runners) routes() []rest.Route {
	read, admin := forRunner(a.Site, "read_runner", readRunner),
		forRunner(a.Site, "admin_runner", changeRunner, "manage_runner")
	return []rest.Route{
		rest.Post("/user/runners", scope.ForSigned("create_runner"), a.create),
		rest.Get("/runners", scope.ForSigned(), a.list),
		rest.Get("/runners/all", scope.ForAdmin(), a.listAll),
		rest.Get("/runners/{id}", read, a.show),
		rest.Put("/runners/{id}", admin, a.update),
		rest.Delete("/runners/{id}", admin, a.delete),
		rest.Post("/runners/{id}/reset_authentication_token", admin, a.resetToken),
		rest.Get("/runners/{id}/managers", read, a.listManagers),
		rest.Get("/runners/{id}/jobs", read, a.listJobs),
		rest.Get("/runners/{id}/managers/{system_id}/jobs", read, a.listJobs),
	}
}

// list lists the runners of the instance, and those of groups and projects that the caller
// maintains.
func (runners) list(ctx context.Context, s scope.Signed, in runnerList) (rest.List[runnerView], error) {
	f, err := in.filter()
	if err != nil {
		return rest.List[runnerView]{}, err
	}
	f.For = new(s.Viewer())
	return rest.Pages(runnerViewOf)(ci.Runners(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

func (runners) listAll(ctx context.Context, s scope.Admin, in runnerList) (rest.List[runnerView], error) {
	f, err := in.filter("specific", "shared")
	if err != nil {
		return rest.List[runnerView]{}, err
	}
	return rest.Pages(runnerViewOf)(ci.Runners(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

type runnerID struct {
	ID              int64 `param:"id"`
	IncludeProjects bool  `param:"include_projects" default:"true"`
}

func (a runners) show(ctx context.Context, s runnerScope, in runnerID) (runnerDetail, error) {
	v := runnerDetailOf(a.Site, s.Runner)
	busy, err := ci.RunnerBusy(ctx, s.Store, s.Runner.ID)
	v.JobExecutionStatus = executionStatus(busy)
	if err != nil || !in.IncludeProjects {
		return v, err
	}
	return v.withProjects(ctx, s)
}

type runnerNew struct {
	Type      string `param:"runner_type,required" oneof:"instance_type group_type project_type"`
	GroupID   *int64 `param:"group_id"`
	ProjectID *int64 `param:"project_id"`
	runnerFields
	_ struct{} `exclusive:"group_id project_id"`
}

// owner returns what the new runner belongs to, if the caller may create one there.
func (in runnerNew) owner(ctx context.Context, s scope.Signed) (c db.Container, err error) {
	switch {
	case in.Type == ci.GroupRunner && in.GroupID == nil:
		return c, fault.Param("group_id is missing")
	case in.Type == ci.ProjectRunner && in.ProjectID == nil:
		return c, fault.Param("project_id is missing")
	case in.Type != ci.GroupRunner && in.GroupID != nil:
		return c, fault.Param("group_id is invalid")
	case in.Type != ci.ProjectRunner && in.ProjectID != nil:
		return c, fault.Param("project_id is invalid")
	case in.GroupID != nil:
		ref := strconv.FormatInt(*in.GroupID, 10)
		group, err := tree.GroupFor(ctx, s.Store, ref, s.Caller.ID())
		if err != nil {
			return c, err
		}
		return group.Container(), scope.InGroup{Anyone: s.Anyone, Group: group}.Place().Admit(adminGroupRunner, ref)
	case in.ProjectID != nil:
		ref := strconv.FormatInt(*in.ProjectID, 10)
		project, err := tree.ProjectFor(ctx, s.Store, ref, s.Caller.ID())
		if err != nil {
			return c, err
		}
		return project.Container(), scope.InProject{Anyone: s.Anyone, Project: project}.Place().Admit(adminRunner, ref)
	case !s.Can(policy.AdminInstance):
		return c, fault.Forbidden("")
	}
	return c, nil
}

func (runners) create(ctx context.Context, s scope.Signed, in runnerNew) (runnerTokenView, error) {
	c, err := in.owner(ctx, s)
	if err != nil {
		return runnerTokenView{}, err
	}
	return rest.Show(newRunnerViewOf)(ci.CreateRunner(ctx, s.Store, c, func(r *ci.Runner) error {
		r.CreatedByID = new(s.Caller.ID())
		return in.into(r)
	}))
}

type runnerChange struct {
	ID int64 `param:"id"`
	runnerFields
	_ struct{} `atleast:"description active paused tag_list run_untagged locked access_level maximum_timeout maintenance_note"`
}

func (a runners) update(ctx context.Context, s runnerScope, in runnerChange) (runnerDetail, error) {
	err := ci.ChangeRunner(ctx, s.Store, s.Runner.ID, in.into)
	if err == nil {
		s.Runner, err = ci.RunnerFor(ctx, s.Store, s.Runner.ID, s.Caller.ID())
	}
	if err != nil {
		return runnerDetail{}, err
	}
	return runnerDetailOf(a.Site, s.Runner).withProjects(ctx, s)
}

func (runners) delete(ctx context.Context, s runnerScope, _ rest.ByID) (rest.None, error) {
	return rest.None{}, ci.DeleteRunner(ctx, s.Store, s.Runner.ID, s.Caller, rest.Unmodified)
}

func (runners) resetToken(ctx context.Context, s runnerScope, _ rest.ByID) (runnerTokenView, error) {
	return rest.Show(resetRunnerViewOf)(ci.ResetRunner(ctx, s.Store, s.Runner.ID))
}

// listManagers lists all managers at once: this list has no pages.
func (runners) listManagers(ctx context.Context, s runnerScope, _ rest.ByID) ([]managerView, error) {
	list, err := ci.RunnerManagers(ctx, s.Store, s.Runner.ID)
	if err != nil {
		return nil, err
	}
	busy, err := ci.BusyManagers(ctx, s.Store, s.Runner.ID)
	shown := make([]managerView, len(list))
	for i, m := range list {
		shown[i] = managerView{m, executionStatus(busy[m.ID])}
	}
	return shown, err
}
