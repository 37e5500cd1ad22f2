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
// picks the route, and the body is read. The guard opens its scope and the parameters are decoded, both outside of any
// transaction, so that whoever is refused costs none. Reads go on as they are; for any other verb a transaction begins
// ([Config.Begin]). The handler runs, its answer is encoded, the transaction is committed, and only then is the reply
// written: no client hears of a change that did not happen, and none that is slow holds a transaction open.
//
// What a guard has read may be old when the transaction begins; see package scope for who looks again.
//
// # Errors
//
// Handlers return faults (package fault); this package alone turns their codes into statuses and into the bodies of the
// public API (gaps §1.1). Anything else is logged with its request id and answered with 500.
package rest
