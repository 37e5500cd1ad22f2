// Package api is the REST API: one file an area, or a few.
//
// An area is a type over API, type hooks struct{ *Site }, and its methods are its handlers. How an area looks:
//
//   - routes comes first: the table. A guard opens a scope, and a handler takes that scope as a parameter, so that one
//     which sees a project cannot be registered without the ability that admits its caller.
//   - A handler is called by what it does: list, show, create, update, delete, or the verb of its path. It decodes, makes
//     one call, and shows. What a second caller could break is a rule, and lives in forge; one query lives in store.
//   - Its input stands above it and is called by thing and act: hookList, hookNew, hookChange; rest.ByID where there is
//     nothing but the number. What may be given when a thing is made and later on too is hookFields, whose settings embed
//     rest.Into[store.X] and are merged: a field that X does not have is found when the routes are made.
//   - Its output is a type, not any. A view is called hookView and made by hookViewOf; by a method of API, where other areas
//     show it too. The parts of it that not everybody sees are embedded pointers, nil where they are kept back.
//   - A list embeds rest.Paging, or rest.Keyset where it can be walked by key.
//   - What groups and projects hold alike has one set of handlers over the scope container, a function at(path, guards…) that
//     routes makes the lines of both with, and its rows in a store.Held. pushRules is the shortest of them.
package api

import (
	"context"
	"slices"

	"hew/server/auth"
	"hew/server/forge"
	"hew/server/jobs"
	"hew/server/rest"
	"hew/server/store"
)

// Site is what the handlers share.
type Site struct {
	Jobs     *jobs.Queue
	Base     string // the address that clients use, without a trailing slash: https://host
	Version  string
	Revision string
}

// API is the site with what some of its areas need beside it.
type API struct {
	Site
	Hooks     *forge.Courier
	Directory *forge.Directory // keeps groups in step with an LDAP server
}

// Routes are all routes of the API, in the order of the areas.
func (a *API) Routes() []rest.Route {
	return slices.Concat(
		meta{&a.Site}.routes(),
		users{&a.Site}.routes(),
		userStates{&a.Site}.routes(),
		tokens{&a.Site}.routes(),
		projects{&a.Site}.routes(),
		projectActs{&a.Site}.routes(),
		projectGit{&a.Site}.routes(),
		hooks{&a.Site, a.Hooks}.routes(),
		pushMirrors{&a.Site}.routes(),
		pushRules{&a.Site}.routes(),
		approvalRules{&a.Site}.routes(),
		approvalSettings{&a.Site}.routes(),
		protectedBranches{Site: &a.Site}.routes(),
		protectedTags{Site: &a.Site}.routes(),
		alertIntegrations{&a.Site}.routes(),
		alerts{&a.Site}.routes(),
		errorTracking{&a.Site}.routes(),
		accessTokens{&a.Site}.routes(),
		labels{&a.Site}.routes(),
		milestones{&a.Site}.routes(),
		topics{&a.Site}.routes(),
		customAttributes{&a.Site}.routes(),
		avatars{&a.Site}.routes(),
		groups{&a.Site}.routes(),
		namespaces{&a.Site}.routes(),
		members{&a.Site}.routes(),
		ldapLinks{&a.Site, a.Directory}.routes(),
		samlLinks{&a.Site}.routes(),
		shares{&a.Site}.routes(),
		billable{&a.Site}.routes(),
		invitations{&a.Site}.routes(),
		runners{&a.Site}.routes(),
		runnerPlaces{&a.Site}.routes(),
		runnerSelf{&a.Site}.routes(),
		integrations{&a.Site}.routes(),
		variables{&a.Site}.routes(),
		deployKeys{&a.Site}.routes(),
		terraformStates{&a.Site}.routes(),
		settings{&a.Site}.routes(),
		appearance{&a.Site}.routes(),
		planLimits{&a.Site}.routes(),
	)
}

// Begin opens the unit of a request over the pool st: reads use the pool, everything else one transaction.
func Begin(st *store.Store) func(context.Context, bool) (context.Context, func(error) error, error) {
	return func(ctx context.Context, write bool) (context.Context, func(error) error, error) {
		if !write {
			return store.With(ctx, st), func(err error) error { return err }, nil
		}
		tx, finish, err := st.Begin(ctx)
		return store.With(ctx, tx), finish, err
	}
}

// UserID is who called, for the log.
func UserID(ctx context.Context) int64 { return auth.From(ctx).ID() }

// web is the address of a page of the web front end, which names things the way users see them.
func (a *Site) web(path string) string { return a.Base + "/" + path }
