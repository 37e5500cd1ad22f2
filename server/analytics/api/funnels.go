package api

import (
	"context"
	"strconv"

	"hew/server/analytics"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
)

// funnels are the funnels that a project, or its dashboards project, defines in its repository
// (spec 3 §4.6), and which project that is.
type funnels struct{}

func (a funnels) routes() []rest.Route {
	const settings = "/projects/{id}/product_analytics/settings"
	return []rest.Route{
		rest.Get("/projects/{id}/product_analytics/funnels", scope.ForProject(readFunnels), a.list),
		rest.Get(settings, scope.ForProject(adminAnalytics), a.show),
		rest.Put(settings, scope.ForProject(adminAnalytics), a.change),
	}
}

func (funnels) list(ctx context.Context, s scope.InProject, _ rest.None) ([]analytics.Funnel, error) {
	return analytics.FunnelsOf(ctx, s.Store, s.Project.Project)
}

// settingsView is what is set of the analytics of a project.
type settingsView struct {
	DashboardsProjectID *int64 `json:"dashboards_project_id"` // null: the project itself
}

func (funnels) show(ctx context.Context, s scope.InProject, _ rest.None) (settingsView, error) {
	from, err := analytics.DashboardsProject(ctx, s.Store, s.Project.ID)
	return settingsView{from}, err
}

type settingsChange struct {
	DashboardsProjectID rest.Opt[*int64] `param:"dashboards_project_id"` // null: its own
}

// change has the developers of the project read the funnels of another one, whose funnels the
// caller has to read.
func (a funnels) change(ctx context.Context, s scope.InProject, in settingsChange) (settingsView, error) {
	from, given := in.DashboardsProjectID.Value()
	if !given {
		return a.show(ctx, s, rest.None{})
	}
	if from != nil {
		other, err := scope.FindProject(ctx, s.Anyone, strconv.FormatInt(*from, 10))
		if fault.CodeOf(err) == fault.CodeNotFound || err == nil && !other.Can(readFunnels) {
			err = fault.Invalid("dashboards_project_id", "does not exist, or you may not read its funnels")
		}
		if err != nil {
			return settingsView{}, err
		}
	}
	if err := analytics.SetDashboardsProject(ctx, s.Store, s.Project.ID, from); err != nil {
		return settingsView{}, err
	}
	return a.show(ctx, s, rest.None{})
}
