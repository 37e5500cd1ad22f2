package api

import (
	"context"
	"strings"

	"hew/server/db"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// alertIntegrations are the routes of what may send a project alerts (gaps §13.2). The public
// service has no such routes in its API. A key is shown once, in the answer that makes it.
type alertIntegrations struct{ *view.Site }

func (a alertIntegrations) routes() []rest.Route {
	const path = "/projects/{id}/alert_integrations"
	const one = path + "/{integration_id}"
	admin := scope.ForProject(adminAlerts)
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
		rest.Post(one+"/reset_token", admin, a.reset),
	}
}

// alertIntegrationView is an alert integration with the address to send alerts to, and with a key
// that is new.
type alertIntegrationView struct {
	integration.AlertIntegration
	URL string `json:"url"`
	Key string `json:"authorization_key,omitempty"`
}

// viewIn returns a function that shows integrations of a project.
func (a alertIntegrations) viewIn(s scope.InProject) func(integration.AlertIntegration) alertIntegrationView {
	return func(i integration.AlertIntegration) alertIntegrationView {
		return alertIntegrationView{AlertIntegration: i, URL: a.Web(alertPath(s.Project.FullPath, i))}
	}
}

// keyedIn returns a function that shows integrations of a project with their key.
func (a alertIntegrations) keyedIn(s scope.InProject) func(integration.AlertIntegrationWithKey) alertIntegrationView {
	return func(k integration.AlertIntegrationWithKey) alertIntegrationView {
		v := a.viewIn(s)(k.AlertIntegration)
		v.Key = k.Key
		return v
	}
}

type alertIntegrationList struct{ rest.Paging }

func (a alertIntegrations) list(
	ctx context.Context, s scope.InProject, in alertIntegrationList,
) (rest.List[alertIntegrationView], error) {
	return rest.Pages(a.viewIn(s))(
		integration.AlertIntegrations(s.Store, s.Project.Container()).List(ctx, scope.PageOf(in.Paging)))
}

type alertIntegrationID struct {
	IntegrationID int64 `param:"integration_id"`
}

func (a alertIntegrations) show(
	ctx context.Context, s scope.InProject, in alertIntegrationID,
) (alertIntegrationView, error) {
	return rest.Show(a.viewIn(s))(
		integration.AlertIntegrations(s.Store, s.Project.Container()).One(ctx, db.ByID(in.IntegrationID)))
}

type alertIntegrationNew struct {
	rest.Into[integration.AlertIntegration]
	Name   string           `param:"name,required,notempty"`
	Type   string           `param:"type" oneof:"http prometheus" default:"http"`
	Active bool             `param:"active" default:"true"`
	APIURL rest.Opt[string] `param:"api_url"`
}

func (in alertIntegrationNew) into(i *integration.AlertIntegration) error {
	i.Name, i.Type, i.Active, i.APIURL = in.Name, in.Type, in.Active, address(in.APIURL)
	return nil
}

// address returns the trimmed text, nil for an empty one and for null.
func address(given rest.Opt[string]) *string {
	if text := strings.TrimSpace(given.Or("")); text != "" {
		return &text
	}
	return nil
}

func (a alertIntegrations) create(
	ctx context.Context, s scope.InProject, in alertIntegrationNew,
) (alertIntegrationView, error) {
	return rest.Show(a.keyedIn(s))(integration.CreateAlertIntegration(ctx, s.Store, s.Project.Container(), in.into))
}

type alertIntegrationChange struct {
	alertIntegrationID
	Name   rest.Opt[string] `param:"name,notempty"`
	Active rest.Opt[bool]   `param:"active"`
	APIURL rest.Opt[string] `param:"api_url"`
	_      struct{}         `atleast:"name active api_url"`
}

func (in alertIntegrationChange) into(i *integration.AlertIntegration) error {
	i.Name, i.Active = in.Name.Or(i.Name), in.Active.Or(i.Active)
	if in.APIURL.Given() {
		i.APIURL = address(in.APIURL)
	}
	return nil
}

func (a alertIntegrations) update(
	ctx context.Context, s scope.InProject, in alertIntegrationChange,
) (alertIntegrationView, error) {
	return rest.Show(a.viewIn(s))(
		integration.ChangeAlertIntegration(ctx, s.Store, s.Project.Container(), in.IntegrationID, in.into))
}

func (alertIntegrations) delete(ctx context.Context, s scope.InProject, in alertIntegrationID) (rest.None, error) {
	return rest.None{}, integration.AlertIntegrations(s.Store, s.Project.Container()).Delete(
		ctx, db.ByID(in.IntegrationID), rest.Unmodified,
	)
}

func (a alertIntegrations) reset(
	ctx context.Context, s scope.InProject, in alertIntegrationID,
) (alertIntegrationView, error) {
	return rest.Show(a.keyedIn(s))(integration.ResetAlertKey(ctx, s.Store, s.Project.Container(), in.IntegrationID))
}
