package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"hew/server/deadline"
)

// serveRoute returns the handler of a route. It reads the body, runs guard and decoding, then
// handler and encoding in a unit, and writes the answer after that.
func (m *mux) serveRoute(rt Route) http.HandlerFunc {
	maxBody, timeout := m.MaxBody, m.Timeout
	if rt.maxBody > 0 {
		maxBody = rt.maxBody
	}
	if rt.timeout > 0 {
		timeout = rt.timeout
	}
	return func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r)
		x.maxBody = maxBody
		switch {
		case rt.text.bytes > 0:
			x.text = rt.text
		case !rt.streams:
			// A slow client must not keep a unit open. Decode returns the error again.
			_, _ = x.parsedBody(r)
		}
		if rt.timeout > 0 { // the server gives up earlier; a writer that cannot be told keeps its deadline
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeout + time.Minute))
		}
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()

		r = r.WithContext(ctx)
		if rt.timeout > 0 && (rt.streams || rt.text.bytes > 0) {
			r.Body = slowBody{deadline.NewReader(ctx, w, r.Body), r.Body}
		}
		reply, err := m.attempt(r, rt)
		if err != nil && rt.repeatable() && m.Again(err) {
			reply, err = m.attempt(r, rt)
		}
		if err != nil {
			m.writeFault(w, r, err)
			return
		}
		reply.write(w, r)
	}
}

// slowBody is the body of a request that may come slowly.
type slowBody struct {
	io.Reader
	io.Closer
}

// attempt runs guard, decoding and unit of a request and returns its answer.
func (m *mux) attempt(r *http.Request, rt Route) (a answer, err error) {
	r = r.WithContext(m.Lend(r.Context()))
	act, err := rt.open(r)
	if err != nil {
		return a, err
	}
	return a, m.runUnit(r.Context(), rt.hasUnit(), func() error {
		out, page, err := act()
		if err != nil {
			return err
		}
		a, err = m.prepare(r, rt.status, out, page)
		return err
	})
}

// hasUnit reports whether the handler runs in a unit.
func (r Route) hasUnit() bool { return !isRead(r.Method) && !r.noTransaction }

// repeatable reports whether a request that failed has left nothing behind, and can be read again.
func (r Route) repeatable() bool { return r.hasUnit() && !r.streams }

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// runUnit runs f, between Begin and finish if it writes. A panic rolls the unit back as an error
// does.
func (m *mux) runUnit(ctx context.Context, write bool, f func() error) (err error) {
	finish := func(err error) error { return err }
	if write {
		if finish, err = m.Begin(ctx); err != nil {
			return err
		}
	}
	defer func() {
		p := recover()
		if p == http.ErrAbortHandler {
			_ = finish(http.ErrAbortHandler) // net/http closes the connection without an answer
			panic(p)
		}
		if p != nil {
			err = &panicError{value: p, stack: debug.Stack()}
		}
		err = finish(err)
	}()
	return f()
}

// panicError is a recovered panic with its stack.
type panicError struct {
	value any
	stack []byte
}

func (c *panicError) Error() string { return fmt.Sprintf("panic: %v", c.value) }
