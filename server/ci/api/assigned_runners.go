package api

import (
	"context"

	"hew/server/ci"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
)

// assignedRunners are the routes of the runners that a group or project can use, and of their
// registration tokens (gaps §10.5).
type assignedRunners struct{}

func (a assignedRunners) routes() []rest.Route {
	project, group := scope.ForProject(adminRunner), scope.ForGroup(adminGroupRunner)
	return []rest.Route{
		rest.Get("/groups/{id}/runners", scope.ForGroup(readGroupRunner), a.ofGroup),
		rest.Get("/projects/{id}/runners", project, a.ofProject),
		rest.Post("/projects/{id}/runners", project, a.assign),
		rest.Delete("/projects/{id}/runners/{runner_id}", project, a.unassign),

		rest.Post(
			"/runners/reset_registration_token", scope.As(scope.ForAdmin(), scope.Admin.Container), a.resetRegistration,
		),
		rest.Post("/groups/{id}/runners/reset_registration_token", scope.As(group, scope.InGroup.Container),
			a.resetRegistration),
		rest.Post("/projects/{id}/runners/reset_registration_token", scope.As(project, scope.InProject.Container),
			a.resetRegistration),
	}
}

// ofGroup lists the runners of a group and of those above it, and those of the instance unless the
// group disables them.
func (assignedRunners) ofGroup(ctx context.Context, s scope.InGroup, in runnerList) (rest.List[runnerView], error) {
	f, err := in.filter()
	if err != nil {
		return rest.List[runnerView]{}, err
	}
	f.Reach = &ci.Reach{
		NamespaceIDs: s.Group.TraversalIDs, Instance: s.Group.Settings.SharedRunnersSetting == "enabled",
	}
	return rest.Pages(runnerViewOf)(ci.Runners(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

// ofProject lists the runners assigned to a project, and those of its groups and of the instance if
// it uses them.
func (assignedRunners) ofProject(ctx context.Context, s scope.InProject, in runnerList) (rest.List[runnerView], error) {
	f, err := in.filter("specific", "shared")
	if err != nil {
		return rest.List[runnerView]{}, err
	}
	f.Reach = &ci.Reach{ProjectID: s.Project.ID, Instance: s.Project.Settings.SharedRunnersEnabled}
	if s.Project.Settings.GroupRunnersEnabled {
		f.Reach.NamespaceIDs = s.Project.NamespaceIDs
	}
	return rest.Pages(runnerViewOf)(ci.Runners(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

type runnerAssign struct {
	RunnerID int64 `param:"runner_id,required"`
}

// assign assigns a runner that the caller administers to one more project. One that the caller may
// not see is not found.
func (assignedRunners) assign(ctx context.Context, s scope.InProject, in runnerAssign) (runnerView, error) {
	r, err := ci.AssignRunner(ctx, s.Store, in.RunnerID, s.Project.ID, s.Caller, func(r ci.FoundRunner) error {
		if !(runnerScope{s.Anyone, r}).Can(readRunner) {
			return fault.NotFound("Runner")
		}
		return nil
	})
	return runnerViewOf(r.Runner), err
}

func (assignedRunners) unassign(ctx context.Context, s scope.InProject, in runnerAssign) (rest.None, error) {
	return rest.None{}, ci.UnassignRunner(ctx, s.Store, in.RunnerID, s.Project.ID, rest.Unmodified)
}

func (assignedRunners) resetRegistration(ctx context.Context, s scope.Container, _ rest.None) (runnerTokenView, error) {
	return rest.Show(registrationViewOf)(ci.ResetRegistration(ctx, s.Store, s.Container))
}
