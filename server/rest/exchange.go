package rest

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hew/server/fault"
)

// exchange holds what http.Request does not about a request in progress.
type exchange struct {
	id      string
	maxBody int64
	text    textLimit
	request *http.Request // as it arrived
	query   parsedOnce
	body    parsedOnce
	long    parsedOnce
	isLong  bool          // the body has more than maxText bytes of text
	turn    chan struct{} // held while there is a long body in memory; of the mux
	hasTurn bool
	raw     []byte // the part of the body that was read as text
	files   []*File
	refused *fault.Error // what the client got, for the log
}

// parsedOnce is a tree that auth, guard and handler share.
type parsedOnce struct {
	sync.Once
	tree tree
	err  error
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a request, or an empty one if no mux serves the request.
func exchangeOf(r *http.Request) *exchange {
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return newExchange(r, 20<<20)
}

func newExchange(r *http.Request, maxBody int64) *exchange {
	return &exchange{maxBody: maxBody, text: textLimit{maxText, smallerBody}, request: r}
}

// RequestID returns the id of the request, for logs and jobs; "" outside a request.
func RequestID(ctx context.Context) string {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x.id
	}
	return ""
}

// chooseRequestID returns the client's id if it is safe in a log line, else a new one.
func chooseRequestID(given string) string {
	plain := func(c rune) bool {
		return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	if given != "" && len(given) <= 255 && strings.IndexFunc(given, func(c rune) bool { return !plain(c) }) < 0 {
		return given
	}
	return rand.Text()
}

// Param returns a scalar parameter before the route is known: from the query, else from a form or a
// JSON body; "" if it is absent. It is for credentials and sudo. A body that cannot be parsed has
// no parameters here; Decode reports it.
func Param(r *http.Request, name string) string {
	x := exchangeOf(r)
	if query, err := x.parsedQuery(r); err == nil {
		if s, ok := textOf(query[name]); ok {
			return s
		}
	}
	if kind := mediaType(r); kind == typeForm || kind == typeJSON { // an upload is left to its handler
		if body, err := x.parsedBody(r); err == nil {
			s, _ := textOf(body[name])
			return s
		}
	}
	return ""
}

// Params returns what query and body of a request say, for a record of it. Of an upload it has no
// more than the query, and nothing of a body that cannot be parsed: Decode reports that.
func Params(r *http.Request) map[string]any {
	all := map[string]any{}
	x := exchangeOf(r)
	if query, err := x.parsedQuery(r); err == nil {
		maps.Copy(all, query)
	}
	if kind := mediaType(r); kind == typeForm || kind == typeJSON {
		if body, err := x.parsedBody(r); err == nil {
			maps.Copy(all, body)
		}
	}
	return all
}

// hasHiddenSudo reports whether the parameters contain sudo where Param does not find it. Such a
// request must fail: it would run as the caller, who may be allowed more.
func hasHiddenSudo(r *http.Request, trees []tree) bool {
	given := slices.ContainsFunc(trees, func(t tree) bool { _, ok := t["sudo"]; return ok })
	return given && Param(r, "sudo") == ""
}

// Unmodified returns a fault (412) if the record was changed after the time in If-Unmodified-Since.
// That time has whole seconds; one that cannot be parsed is ignored.
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
	if x.hasTurn {
		<-x.turn
	}
}
