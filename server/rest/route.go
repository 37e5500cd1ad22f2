package rest

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"time"
)

// None is the type of a missing scope, of missing parameters or of a missing answer.
type None = struct{}

// Raw is an answer that writes itself after the unit is committed: a stream, a file, a special
// status.
type Raw = http.Handler

// Guard admits a caller to a scope of type S. Open looks up what the path names and returns the
// scope, or a fault. Need is the ability that it checks ("admin_hook on project"), for the printed
// table of routes.
type Guard[S any] struct {
	Need string
	Open func(context.Context, *http.Request) (S, error)
}

// Handler serves an endpoint in a scope that its guard has opened. In is filled by Decode. Out is
// encoded as JSON, unless it is a List, a Raw or None.
type Handler[S, In, Out any] func(context.Context, S, In) (Out, error)

// Preparer is implemented by parameters with work that the transaction of the request must not wait
// for, such as storing a file. Prepare runs after the guard and the decoding, before the
// transaction begins; an error is the answer.
type Preparer interface {
	Prepare(ctx context.Context) error
}

// Route is a row of the table of routes. Path is below /api/v4 and can have wildcards
// ("/projects/{id}/hooks").
type Route struct {
	Method, Path, Need string

	status        int
	maxBody       int64
	text          textLimit // the zero value: that of all routes
	timeout       time.Duration
	priority      bool
	streams       bool // the handler reads the body
	noTransaction bool // the handler runs as that of a route that reads
	realm         string
	in            reflect.Type

	// open runs guard and decoding. It returns act, which runs the handler.
	open func(*http.Request) (act func() (any, pager, error), _ error)
}

// Get returns a route that reads and answers 200. It also serves HEAD.
func Get[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return newRoute(http.MethodGet, http.StatusOK, path, g, h)
}

// Post returns a route that creates or acts and answers 201.
func Post[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return newRoute(http.MethodPost, http.StatusCreated, path, g, h)
}

// Put returns a route that changes and answers 200.
func Put[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return newRoute(http.MethodPut, http.StatusOK, path, g, h)
}

// Patch returns a route that changes and answers 200.
func Patch[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return newRoute(http.MethodPatch, http.StatusOK, path, g, h)
}

// Delete returns a route that removes and answers 204 without a body.
func Delete[S, In, Out any](path string, g Guard[S], h Handler[S, In, Out]) Route {
	return newRoute(http.MethodDelete, http.StatusNoContent, path, g, h)
}

// Status sets the status of success, for a route that differs from others with its verb.
func (r Route) Status(code int) Route {
	r.status = code
	return r
}

// WithMethod sets another method, such as LOCK of WebDAV.
func (r Route) WithMethod(method string) Route {
	r.Method = method
	return r
}

// Limit sets the limit of the body, in bytes, in place of Config.MaxBody.
func (r Route) Limit(bytes int64) Route {
	r.maxBody = bytes
	return r
}

// Timeout sets the time limit of the handler, in place of Config.Timeout.
func (r Route) Timeout(d time.Duration) Route {
	r.timeout = d
	return r
}

// WithoutTransaction runs the handler without a transaction, whatever the method. It is for
// handlers that wait for another server and would hold a connection meanwhile. Each of their writes
// is committed at once.
func (r Route) WithoutTransaction() Route {
	r.noTransaction = true
	return r
}

// Realm asks callers that are not known for a user name and a password. It is for routes of clients
// that begin without them, such as those of packages.
func (r Route) Realm(name string) Route {
	r.realm = name
	return r
}

// Priority matches the route before others. It is for patterns that overlap without one being the
// more specific, which the standard mux refuses: /projects/user/{user_id} and
// /projects/{id}/archive.
func (r Route) Priority() Route {
	r.priority = true
	return r
}

// String returns the method, the path and the need.
func (r Route) String() string { return fmt.Sprintf("%-6s %s  %s", r.Method, r.Path, r.Need) }

// newRoute combines guard, parameters and handler. It panics if the guard is incomplete or the
// parameters cannot be filled, so that mistakes show when the table is built.
func newRoute[S, In, Out any](method string, status int, path string, g Guard[S], h Handler[S, In, Out]) Route {
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
		if p, ok := any(&in).(Preparer); ok {
			if err := p.Prepare(ctx); err != nil {
				return nil, err
			}
		}
		return func() (any, pager, error) {
			out, err := h(ctx, scope, in)
			page, _ := any(&in).(pager)
			return out, page, err
		}, nil
	}
	return Route{
		Method: method, Path: path, Need: g.Need,
		status: status, streams: streams, in: reflect.TypeFor[In](), open: open,
	}
}
