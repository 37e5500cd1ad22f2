package api

import (
	"context"

	"hew/server/analytics"
	"hew/server/rest"
	"hew/server/scope"
)

// funnels are the funnels that a project defines in its repository (spec 3 §4.6).
type funnels struct{}

func (a funnels) routes() []rest.Route {
	return []rest.Route{rest.Get("/projects/{id}/product_analytics/funnels", scope.ForProject(readFunnels), a.list)}
}

func (funnels) list(ctx context.Context, s scope.InProject, _ rest.None) ([]analytics.Funnel, error) {
	return analytics.Funnels(ctx, s.Store, s.Project.Project)
}
