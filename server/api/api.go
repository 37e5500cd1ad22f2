// Package api is the REST API: one file an area, which holds its routes, inputs, handlers and views.
//
// A guard opens a scope, and a handler takes that scope as a parameter: a handler that sees a project cannot be
// registered without the ability that admits its caller. Handlers are plain functions from scope and input to output.
package api

import (
	"context"
	"slices"

	"hew/server/auth"
	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// API is what the handlers share.
type API struct {
	Jobs     *forge.Queue
	Base     string // the address that clients use, without a trailing slash: https://host
	Version  string
	Revision string
}

// Routes are all routes of the API, in the order of the areas.
func (a *API) Routes() []rest.Route {
	return slices.Concat(
		a.meta(),
		a.users(),
		a.userStates(),
		a.tokens(),
		a.projects(),
		a.projectActs(),
		a.projectGit(),
		a.projectHooks(),
		a.groups(),
		a.namespaces(),
		a.members(),
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
func (a *API) web(path string) string { return a.Base + "/" + path }
