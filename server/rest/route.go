package rest

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"time"
)

// None stands for no scope, no parameters or no answer.
type None = struct{}

// Raw is an answer that writes itself, after its unit is committed: a stream, a file, a status of its own.
type Raw = http.Handler

// Guard admits a caller to a scope of type S: it finds what the path names, and says no with a fault. Need is what it
// asks for, in words ("admin_hook on project"), for the route table and the access matrix.
type Guard[S any] struct {
	Need string
	Open func(context.Context, *http.Request) (S, error)
}

// Handler serves one endpoint inside a scope that its guard has opened. In is filled by Decode; Out becomes the body, or
// writes itself if it is a Raw, or pages if it is a List.
type Handler[S, In, Out any] func(context.Context, S, In) (Out, error)

// Route is a line of the table. Path is below /api/v4 and may hold wildcards ("/projects/{id}/hooks").
type Route struct {
	Method, Path, Need string

	status  int
	limit   int64
	within  time.Duration
	first   bool
	streams bool // the handler reads the body
	waits   bool // the unit is as that of a route that reads
	in      reflect.Type
	open    func(*http.Request) (act func() (any, pager, error), _ error) // guard and parameters, then the handler
}

// Get is a route that reads and answers 200. HEAD comes with it.
func Get[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return route(http.MethodGet, http.StatusOK, path, g, h)
}

// Post is a route that creates or acts and answers 201.
func Post[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return route(http.MethodPost, http.StatusCreated, path, g, h)
}

// Put is a route that changes and answers 200.
func Put[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return route(http.MethodPut, http.StatusOK, path, g, h)
}

// Patch is a route that changes and answers 200.
func Patch[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return route(http.MethodPatch, http.StatusOK, path, g, h)
}

// Delete is a route that removes and answers 204 without a body.
func Delete[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return route(http.MethodDelete, http.StatusNoContent, path, g, h)
}

// Status sets the status of success, where the API differs from the habit of the verb (gaps §1.2).
func (r Route) Status(code int) Route {
	r.status = code
	return r
}

// By lets the route be asked for by a method that the verbs above do not have: LOCK, say, which is WebDAV's.
func (r Route) By(method string) Route {
	r.Method = method
	return r
}

// Limit sets how many bytes a body may have, in place of Config.MaxBody.
func (r Route) Limit(bytes int64) Route {
	r.limit = bytes
	return r
}

// Within sets how long the handler may take, in place of Config.Timeout.
func (r Route) Within(d time.Duration) Route {
	r.within = d
	return r
}

// Waits runs the handler without a transaction, whatever the method: it waits for somebody else's server, and would keep a
// connection from everybody meanwhile. What it writes is committed as it goes.
func (r Route) Waits() Route {
	r.waits = true
	return r
}

// First lets the route win over those that match some of its requests and are matched by it in others, where neither is
// the more specific one: /projects/user/{user_id} and /projects/{id}/archive.
func (r Route) First() Route {
	r.first = true
	return r
}

// String prints the line: method, path, need.
func (r Route) String() string { return fmt.Sprintf("%-6s %s  %s", r.Method, r.Path, r.Need) }

// Parameters are the names of everything that the route takes, the wildcards of its path included; what is in an object or
// in a list of them has the name of that in front: url_variables.value.
func (r Route) Parameters() []string { return namesOf(r.in) }

// route binds guard, parameters and handler. A guard that guards nothing and a parameter struct that cannot be filled are
// mistakes in the table, found when the table is built and not at the first request.
func route[S, In, Out any](method string, status int, path string, g Guard[S], h Handler[S, In, Out]) Route {
	if g.Open == nil || g.Need == "" {
		panic(fmt.Sprintf("rest: %s %s: the guard needs both Need and Open", method, path))
	}
	streams := planOf(reflect.TypeFor[In]()).body != nil
	open := func(r *http.Request) (func() (any, pager, error), error) {
		ctx := r.Context()
		scope, err := g.Open(ctx, r)
		if err != nil {
			return nil, err
		}
		in, err := Decode[In](r)
		if err != nil {
			return nil, err
		}
		return func() (any, pager, error) {
			out, err := h(ctx, scope, in)
			page, _ := any(&in).(pager)
			return out, page, err
		}, nil
	}
	return Route{Method: method, Path: path, Need: g.Need, status: status, streams: streams, in: reflect.TypeFor[In](), open: open}
}
