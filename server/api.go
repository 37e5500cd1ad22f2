package server

import (
	"context"
	"slices"

	"hew/server/auth"
	ciapi "hew/server/ci/api"
	"hew/server/db"
	"hew/server/group"
	groupapi "hew/server/group/api"
	"hew/server/hook"
	hookapi "hew/server/hook/api"
	instanceapi "hew/server/instance/api"
	integrationapi "hew/server/integration/api"
	peopleapi "hew/server/people/api"
	projectapi "hew/server/project/api"
	protectapi "hew/server/protect/api"
	"hew/server/rest"
	transferapi "hew/server/transfer/api"
	"hew/server/view"
	workapi "hew/server/work/api"
)

// API is the site with what some of its areas need beside it.
type API struct {
	view.Site
	Hooks     *hook.Courier
	Directory *group.Directory // keeps groups in step with an LDAP server
}

// Routes are all routes of the API, in the order of the areas.
func (a *API) Routes() []rest.Route {
	return slices.Concat(
		instanceapi.Meta{Site: &a.Site}.Routes(),
		peopleapi.Users{Site: &a.Site}.Routes(),
		peopleapi.UserStates{Site: &a.Site}.Routes(),
		peopleapi.Tokens{Site: &a.Site}.Routes(),
		projectapi.Projects{Site: &a.Site}.Routes(),
		projectapi.ProjectActs{Site: &a.Site}.Routes(),
		projectapi.ProjectGit{Site: &a.Site}.Routes(),
		hookapi.Hooks{Site: &a.Site, Courier: a.Hooks}.Routes(),
		transferapi.PushMirrors{Site: &a.Site}.Routes(),
		protectapi.PushRules{Site: &a.Site}.Routes(),
		protectapi.ApprovalRules{Site: &a.Site}.Routes(),
		protectapi.ApprovalSettings{Site: &a.Site}.Routes(),
		protectapi.ProtectedBranches{Site: &a.Site}.Routes(),
		protectapi.ProtectedTags{Site: &a.Site}.Routes(),
		integrationapi.AlertIntegrations{Site: &a.Site}.Routes(),
		integrationapi.Alerts{Site: &a.Site}.Routes(),
		integrationapi.ErrorTracking{Site: &a.Site}.Routes(),
		groupapi.AccessTokens{Site: &a.Site}.Routes(),
		workapi.Labels{Site: &a.Site}.Routes(),
		workapi.Milestones{Site: &a.Site}.Routes(),
		projectapi.Topics{Site: &a.Site}.Routes(),
		peopleapi.CustomAttributes{Site: &a.Site}.Routes(),
		projectapi.Avatars{Site: &a.Site}.Routes(),
		groupapi.Groups{Site: &a.Site}.Routes(),
		groupapi.Namespaces{Site: &a.Site}.Routes(),
		groupapi.Members{Site: &a.Site}.Routes(),
		groupapi.LdapLinks{Site: &a.Site, Directory: a.Directory}.Routes(),
		groupapi.SamlLinks{Site: &a.Site}.Routes(),
		groupapi.Shares{Site: &a.Site}.Routes(),
		groupapi.Billable{Site: &a.Site}.Routes(),
		groupapi.Invitations{Site: &a.Site}.Routes(),
		ciapi.Runners{Site: &a.Site}.Routes(),
		ciapi.RunnerPlaces{Site: &a.Site}.Routes(),
		ciapi.RunnerSelf{Site: &a.Site}.Routes(),
		integrationapi.Integrations{Site: &a.Site}.Routes(),
		ciapi.Variables{Site: &a.Site}.Routes(),
		protectapi.DeployKeys{Site: &a.Site}.Routes(),
		instanceapi.TerraformStates{Site: &a.Site}.Routes(),
		instanceapi.Settings{Site: &a.Site}.Routes(),
		instanceapi.Appearance{Site: &a.Site}.Routes(),
		instanceapi.PlanLimits{Site: &a.Site}.Routes(),
	)
}

// Begin opens the unit of a request over the pool st: reads use the pool, everything else one transaction.
func Begin(st *db.Store) func(context.Context, bool) (context.Context, func(error) error, error) {
	return func(ctx context.Context, write bool) (context.Context, func(error) error, error) {
		if !write {
			return db.With(ctx, st), func(err error) error { return err }, nil
		}
		tx, finish, err := st.Begin(ctx)
		return db.With(ctx, tx), finish, err
	}
}

// UserID is who called, for the log.
func UserID(ctx context.Context) int64 { return auth.From(ctx).ID() }
