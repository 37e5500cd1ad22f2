// Package rest is the shape of the API: typed endpoints on net/http.
//
// An endpoint is a line in a table (method, path, guard, handler), a struct of parameters and a function:
//
//	rest.Get("/projects/{id}/hooks", admin, listHooks)
//
//	type hooksIn struct{ rest.Paging }
//
//	func listHooks(ctx context.Context, p InProject, in hooksIn) (rest.List[Hook], error)
//
// The guard opens a scope (here InProject) and the handler takes that scope as a parameter, so a handler that sees a
// project cannot be registered without naming the ability that admitted the caller.
//
// # Flow
//
// Request id, log and recover come first, then [Config.Auth], which puts the caller into the context. The standard mux
// picks the route, and the body is read. A unit begins: reads share the pool, any other verb is one transaction. Inside it
// the guard opens, the parameters are decoded, the handler runs and its answer is encoded. The unit is committed, and only
// then is the reply written, so no client ever hears of a change that did not happen, and none that is slow holds a
// transaction open.
//
// # Errors
//
// Handlers return faults (package fault); this package alone turns their codes into statuses and into the bodies of the
// public API (gaps §1.1). Anything else is logged with its request id and answered with 500.
package rest
