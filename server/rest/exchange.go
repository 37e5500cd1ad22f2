package rest

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hew/server/fault"
)

// exchange is what is known of one request while it lasts, apart from what http.Request knows.
type exchange struct {
	id      string
	limit   int64
	request *http.Request // as it came in
	query   once
	body    once
	raw     []byte // what has been read of the body's text
	files   []*File
	refused *fault.Error // what the client was told, for the log
}

// once is a tree that is parsed at most once, for auth, guard and handler alike.
type once struct {
	sync.Once
	tree tree
	err  error
}

type exchangeKey struct{}

// exchangeOf returns the exchange that New's handler put into the context, or an empty one outside of it.
func exchangeOf(r *http.Request) *exchange {
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{limit: 20 << 20, request: r}
}

// RequestID returns the id that the request carries through logs and jobs, empty outside a request.
func RequestID(ctx context.Context) string {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x.id
	}
	return ""
}

// requestID keeps the client's id if it can stand in a log line as it is, and else makes one.
func requestID(given string) string {
	plain := func(c rune) bool {
		return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	if given != "" && len(given) <= 255 && strings.IndexFunc(given, func(c rune) bool { return !plain(c) }) < 0 {
		return given
	}
	return rand.Text()
}

// Param returns one text parameter before the route is known: from the query, else from a form or JSON body. It is for
// credentials and sudo; a body that cannot be read has no parameters here, and fails when it is decoded.
func Param(r *http.Request, name string) string {
	x := exchangeOf(r)
	if query, err := x.parsedQuery(r); err == nil {
		if s, ok := textOf(query[name]); ok {
			return s
		}
	}
	if kind := mediaType(r); kind == typeForm || kind == typeJSON { // an upload is left for its handler to read
		if body, err := x.parsedBody(r); err == nil {
			s, _ := textOf(body[name])
			return s
		}
	}
	return ""
}

// unheard reports whether a tree asks to act as somebody in a way or place that Param does not look at: whoever asked
// would act as himself, who may do more.
func unheard(r *http.Request, trees []tree) bool {
	given := slices.ContainsFunc(trees, func(t tree) bool { _, ok := t["sudo"]; return ok })
	return given && Param(r, "sudo") == ""
}

// Unmodified fails with 412 if the client set If-Unmodified-Since and the record has changed later. HTTP dates have whole
// seconds; a date that cannot be read is ignored (gaps §1.6).
func Unmodified(ctx context.Context, changed time.Time) error {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil
	}
	since, err := http.ParseTime(x.request.Header.Get("If-Unmodified-Since"))
	if err == nil && changed.Truncate(time.Second).After(since) {
		return fault.PreconditionFailed()
	}
	return nil
}

func (x *exchange) parsedQuery(r *http.Request) (tree, error) {
	x.query.Do(func() { x.query.tree, x.query.err = parseForm(r.URL.RawQuery) })
	return x.query.tree, x.query.err
}

func (x *exchange) parsedBody(r *http.Request) (tree, error) {
	x.body.Do(func() { x.body.tree, x.body.err = x.readBody(r) })
	return x.body.tree, x.body.err
}

func (x *exchange) close() {
	for _, f := range x.files {
		f.close()
	}
}
