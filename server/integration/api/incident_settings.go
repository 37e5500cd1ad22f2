package api

import (
	"context"

	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
)

// incidentSettings are the routes of what a project does about its alerts. The public service has
// no such routes in its API.
type incidentSettings struct{}

func (a incidentSettings) routes() []rest.Route {
	const path = "/projects/{id}/incident_management_settings"
	admin := scope.ForProject(adminAlerts)
	return []rest.Route{rest.Get(path, admin, a.show), rest.Put(path, admin, a.update)}
}

func (incidentSettings) show(
	ctx context.Context, s scope.InProject, _ rest.None,
) (integration.IncidentSettings, error) {
	return integration.FindIncidentSettings(ctx, s.Store, s.Project.ID)
}

type incidentSettingsChange struct {
	CreateIssue rest.Opt[bool] `param:"create_issue"`
	AutoClose   rest.Opt[bool] `param:"auto_close_incident"`
	_           struct{}       `atleast:"create_issue auto_close_incident"`
}

func (in incidentSettingsChange) into(i *integration.IncidentSettings) error {
	i.CreateIssue, i.AutoClose = in.CreateIssue.Or(i.CreateIssue), in.AutoClose.Or(i.AutoClose)
	return nil
}

func (incidentSettings) update(
	ctx context.Context, s scope.InProject, in incidentSettingsChange,
) (integration.IncidentSettings, error) {
	return integration.ChangeIncidentSettings(ctx, s.Store, s.Project.ID, in.into)
}
