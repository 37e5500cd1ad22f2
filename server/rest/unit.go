package rest

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
)

// endpoint serves a route: guard and decoding, then one unit around handler and encoding. The body is read before, and the
// reply is written after it.
func (m *mux) endpoint(rt Route) http.HandlerFunc {
	limit, within := m.MaxBody, m.Timeout
	if rt.limit > 0 {
		limit = rt.limit
	}
	if rt.within > 0 {
		within = rt.within
	}
	return func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r)
		x.limit = limit
		if !rt.streams {
			// Clients may be slow, and a unit holds a connection that others wait for. Decode tells of the error.
			_, _ = x.parsedBody(r)
		}
		ctx, cancel := context.WithTimeout(r.Context(), within)
		defer cancel()

		r = r.WithContext(m.Lend(ctx))
		var a answer
		act, err := rt.open(r)
		if err == nil {
			err = m.unit(r.Context(), !reads(r.Method) && !rt.waits, func() error {
				out, page, err := act()
				if err != nil {
					return err
				}
				a, err = m.prepare(r, rt.status, out, page)
				return err
			})
		}
		if err != nil {
			m.fail(w, r, err)
			return
		}
		a.write(w, r)
	}
}

func reads(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// unit runs f, between Begin and finish if it writes. A panic undoes the unit like an error does.
func (m *mux) unit(ctx context.Context, write bool, f func() error) (err error) {
	finish := func(err error) error { return err }
	if write {
		if finish, err = m.Begin(ctx); err != nil {
			return err
		}
	}
	defer func() {
		p := recover()
		if p == http.ErrAbortHandler {
			_ = finish(http.ErrAbortHandler) // the client hears nothing of it: the connection is cut
			panic(p)
		}
		if p != nil {
			err = &crash{value: p, stack: debug.Stack()}
		}
		err = finish(err)
	}()
	return f()
}

// crash is a panic that has become an error, with the stack it came from.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("panic: %v", c.value) }
