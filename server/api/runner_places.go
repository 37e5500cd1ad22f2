package api

import (
	"context"

	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// runnerPlaces are the runners that a group or project can use, and the tokens with which runners register for one
// (gaps §10.5).
type runnerPlaces struct{ *Site }

func (a runnerPlaces) routes() []rest.Route {
	project, group := a.project(policy.AdminRunner), a.group(policy.AdminGroupRunner)
	return []rest.Route{
		rest.Get("/groups/{id}/runners", a.group(policy.ReadGroupRunner), a.ofGroup),
		rest.Get("/projects/{id}/runners", project, a.ofProject),
		rest.Post("/projects/{id}/runners", project, a.assign),
		rest.Delete("/projects/{id}/runners/{runner_id}", project, a.unassign),

		rest.Post("/runners/reset_registration_token", as(a.admin(), Admin.container), a.resetRegistration),
		rest.Post("/groups/{id}/runners/reset_registration_token", as(group, InGroup.container), a.resetRegistration),
		rest.Post("/projects/{id}/runners/reset_registration_token", as(project, InProject.container), a.resetRegistration),
	}
}

// ofGroup lists the runners of a group and of those above it, and those of the instance unless they are switched off there.
func (runnerPlaces) ofGroup(ctx context.Context, s InGroup, in runnerList) (rest.List[runnerView], error) {
	f, err := in.filter()
	if err != nil {
		return rest.List[runnerView]{}, err
	}
	f.Reach = &store.Reach{
		NamespaceIDs: s.Group.TraversalIDs, Instance: s.Group.Settings.SharedRunnersSetting == "enabled",
	}
	return rest.Pages(runnerViewOf)(s.Store.Runners(ctx, f, pageOf(in.Paging)))
}

// ofProject lists the runners that are assigned to a project, and those of its groups and of the instance if it uses them.
func (runnerPlaces) ofProject(ctx context.Context, s InProject, in runnerList) (rest.List[runnerView], error) {
	f, err := in.filter("specific", "shared")
	if err != nil {
		return rest.List[runnerView]{}, err
	}
	f.Reach = &store.Reach{ProjectID: s.Project.ID, Instance: s.Project.Settings.SharedRunnersEnabled}
	if s.Project.Settings.GroupRunnersEnabled {
		f.Reach.NamespaceIDs = s.Project.NamespaceIDs
	}
	return rest.Pages(runnerViewOf)(s.Store.Runners(ctx, f, pageOf(in.Paging)))
}

type runnerAssign struct {
	RunnerID int64 `param:"runner_id,required"`
}

// assign lets a runner that the caller administers work for one more project.
func (runnerPlaces) assign(ctx context.Context, s InProject, in runnerAssign) (runnerView, error) {
	r, err := forge.AssignRunner(ctx, s.Store, in.RunnerID, s.Project.ID, s.Caller, func(r store.FoundRunner) error {
		if !(OneRunner{s.Anyone, r}).Can(adminRunner) {
			return noAccess()
		}
		return nil
	})
	return runnerViewOf(r.Runner), err
}

func (runnerPlaces) unassign(ctx context.Context, s InProject, in runnerAssign) (rest.None, error) {
	return rest.None{}, forge.UnassignRunner(ctx, s.Store, in.RunnerID, s.Project.ID, rest.Unmodified)
}

func (runnerPlaces) resetRegistration(ctx context.Context, s container, _ rest.None) (runnerTokenView, error) {
	return rest.Show(registrationViewOf)(s.Store.ResetRegistration(ctx, s.Container))
}
