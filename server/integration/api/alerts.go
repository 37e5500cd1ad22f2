package api

import (
	"context"

	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
)

// alerts are the routes that read alerts (spec 3 §2.2); alertEndpoints receive them.
type alerts struct{}

func (a alerts) routes() []rest.Route {
	read := scope.ForProject(readAlert)
	return []rest.Route{
		rest.Get("/projects/{id}/alerts", read, a.list),
		rest.Get("/projects/{id}/alerts/{iid}", read, a.show),
	}
}

// alertList are the parameters of the list, which begins with the newest.
type alertList struct {
	rest.Paging
	Status   []string `param:"status,comma" oneof:"triggered acknowledged resolved ignored"`
	Severity []string `param:"severity,comma" oneof:"critical high medium low info unknown"`
	Search   string   `param:"search"`
	OrderBy  string   `param:"order_by" oneof:"iid started_at ended_at created_at updated_at event_count severity" default:"iid"`
	Sort     string   `param:"sort" oneof:"asc desc" default:"desc"`
}

func (alerts) list(ctx context.Context, s scope.InProject, in alertList) (rest.List[integration.Alert], error) {
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	which := integration.AlertFilter{Statuses: in.Status, Severities: in.Severity, Search: in.Search}.Which
	return rest.Page(integration.Alerts(s.Store, s.Project.Container()).List(ctx, page, which))
}

type alertIID struct {
	IID int64 `param:"iid"`
}

func (alerts) show(ctx context.Context, s scope.InProject, in alertIID) (integration.Alert, error) {
	return integration.Alerts(s.Store, s.Project.Container()).One(ctx, integration.ByIID(in.IID))
}
