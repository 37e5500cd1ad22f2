// Package rest serves typed endpoints of the API on net/http.
//
// # How an endpoint is written
//
// An endpoint is a route in a table, a struct of parameters and a handler:
//
//	func (a *api) routes() []rest.Route {
//		admin := rest.Guard[inProject]{Need: "admin_hook on project", Open: a.openProject}
//		return []rest.Route{
//			rest.Get("/projects/{id}/hooks", admin, a.listHooks),
//			rest.Put("/projects/{id}/hooks/{hook_id}", admin, a.updateHook),
//		}
//	}
//
//	type updateHookIn struct {
//		HookID     int64            `param:"hook_id"`
//		URL        rest.Opt[string] `param:"url"`
//		PushEvents rest.Opt[bool]   `param:"push_events"`
//		_          struct{}         `atleast:"*"`
//	}
//
//	func (a *api) updateHook(ctx context.Context, p inProject, in updateHookIn) (hook, error)
//
// The example of this package is such an area, complete.
//
// The [Guard] looks up what the path names and checks that the caller may act on it. What it
// returns, the scope, is a parameter of the handler: a handler that acts on a project cannot be
// registered without the ability that it needs. The verb sets the status of success (200, 201 or
// 204); [Route.Status] sets another one. Other methods of [Route] change its limits and its
// transaction.
//
// A list embeds [Paging], or [Keyset] if it can also be paged by key, and returns a [List]; [Page]
// and [Pages] make one from what a store returns. [None] stands for no scope, no parameters or no
// answer. A [Raw] answer writes itself: a file, a stream, a status that the handler chooses
// ([JSON]).
//
// # Parameters
//
// [Decode] fills the struct from the path, the body (JSON, form or multipart) and the query; of a
// parameter that is in several, the first counts. Tags of a field:
//
//	param:"name,option,…"   the name. Options: required, notempty, comma (a list can also be a text with
//	                        commas), array (the refusal says that it must be one), date (a
//	                        time.Time without the time of day), alias=OTHER
//	default:"v"             the value of an absent parameter
//	oneof:"a b"             the values that are allowed
//	min:"1" max:"9"         the range of a number
//
// Tags of a field named _ relate parameters: atleast:"a b" requires one of them, exactly:"a b"
// exactly one, exclusive:"a b" at most one; "*" stands for all that are not required.
//
// [Opt] tells an absent parameter from null and from a value. [Merge] copies the Opts that were
// given into a row that has fields of the same names; embed [Into] to have this checked when the
// server starts. [Values] takes parameters from a table instead of fields. [Body] hands the handler
// the body unread.
//
// # Flow of a request
//
//  1. [Config.Auth] puts the caller into the context.
//  2. The mux picks the route, and the body is read.
//  3. The guard runs and the parameters are decoded, without a transaction: a request that is
//     refused costs none. What the guard has read can be stale later; package scope says what is
//     read again.
//  4. Any verb but GET begins a transaction ([Config.Begin]). The handler runs and its answer is
//     encoded.
//  5. The transaction is committed, and only then the answer is written: no client sees a change
//     that did not happen, and no slow client keeps a transaction open.
//
// If another transaction got in the way ([Config.Again]), steps 3 and 4 are repeated, so
// that a request that loses a race gets the answer of one that comes later.
//
// # Errors
//
// Handlers return faults (package fault). Only this package turns their codes into statuses and
// bodies. Any other error, and a panic, is logged with the request id and answered with 500. A
// route or a struct that makes no sense panics when the routes are built.
package rest
