package api

import (
	"context"

	"hew/server/fault"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
)

// deliveries returns the routes of what an integration sent, and of its test (gaps §16.2). They are
// hewd's own.
func (a integrations) deliveries(one string, admin rest.Guard[scope.Container]) []rest.Route {
	return []rest.Route{
		rest.Get(one+"/events", admin, a.listEvents),
		rest.Put(one+"/test", admin, a.test).WithoutTransaction(),
	}
}

type integrationEventList struct {
	rest.Paging
	integrationSlug
}

// listEvents shows the requests of an integration of the last days, the latest first.
func (integrations) listEvents(
	ctx context.Context, s scope.Container, in integrationEventList,
) (none rest.List[integration.Delivery], err error) {
	of, _, err := in.of()
	if err != nil {
		return none, err
	}
	i, err := integration.Integrations(s.Store, s.Container).One(ctx, integration.BySlug(of.Slug))
	if err != nil {
		return none, err
	}
	show := func(d integration.Delivery) integration.Delivery { return d }
	return rest.Pages(show)(integration.Deliveries(ctx, s.Store, i.ID, scope.PageOf(in.Paging)))
}

type integrationTest struct {
	integrationSlug
	Event string `param:"event"`
}

// test sends sample data now, and answers whether it was delivered and why not.
func (a integrations) test(ctx context.Context, s scope.Container, in integrationTest) (integration.Trial, error) {
	of, _, err := in.of()
	if err != nil {
		return integration.Trial{}, fault.NotFound("404 Not Found").In(fault.Parameter)
	}
	return a.sender.Test(ctx, s.Store, s.Container, of.Slug, in.Event, s.Caller.User)
}
