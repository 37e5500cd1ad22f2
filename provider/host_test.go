package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// host is a scripted API: answers by "METHOD /path" as a ServeMux reads it. It
// keeps what was asked, and answers what it does not know like a router would.
type host struct {
	*Provider
	mu    sync.Mutex
	asked []string
}

// says is an answer: a status and a JSON body, or a function for what depends
// on the request.
type says struct {
	status int
	body   string
	do     func(w http.ResponseWriter, r *http.Request)
}

type script map[string]says

func serve(t *testing.T, answers script) *host { return serveTo(t, client.Config{}, answers) }

func serveTo(t *testing.T, config client.Config, answers script) *host {
	t.Helper()
	h := &host{}
	mux := http.NewServeMux()
	for pattern, answer := range answers {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /api/v4"+path, func(w http.ResponseWriter, r *http.Request) {
			if answer.do != nil {
				answer.do(w, r)
				return
			}
			reply(w, answer.status, answer.body)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { reply(w, 404, `{"error":"404 Not Found"}`) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		h.mu.Lock()
		h.asked = append(h.asked, strings.TrimSpace(r.Method+" "+strings.TrimPrefix(r.URL.RequestURI(),
			"/api/v4")+" "+string(body)))
		h.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	config.BaseURL, config.Token, config.Retries = server.URL, "secret-token", -1
	c, err := client.New(config)
	require.NoError(t, err)
	h.Provider = &Provider{c, standard, newLag()}
	h.lag.waits = make([]time.Duration, 3)
	return h
}

func reply(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

// list answers rows with the totals that hosts send along.
func list(rows ...string) says {
	return says{do: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Total", fmt.Sprint(len(rows)))
		w.Header().Set("X-Total-Pages", "1")
		reply(w, 200, "["+strings.Join(rows, ",")+"]")
	}}
}

// declared makes an object of name: value pairs; references are *schema.Ref.
func declared(k *Kind, pairs ...any) schema.Object {
	o := schema.Object{Kind: &k.Kind}
	for i := 0; i < len(pairs); i += 2 {
		a := k.Attr(pairs[i].(string))
		if a == nil {
			panic("no attribute " + pairs[i].(string))
		}
		o.Value.Set(a, valueOf(pairs[i+1]))
	}
	return o
}

func valueOf(v any) cty.Value {
	switch v := v.(type) {
	case string:
		return cty.StringVal(v)
	case bool:
		return cty.BoolVal(v)
	case int:
		return cty.NumberIntVal(int64(v))
	case map[string]string:
		values := map[string]cty.Value{}
		for key, text := range v {
			values[key] = cty.StringVal(text)
		}
		return cty.MapVal(values)
	case *schema.Ref:
		return schema.RefVal(v)
	}
	return v.(cty.Value)
}

// found is the object with an id, as it was before an update.
func found(o schema.Object, id string) schema.Object { o.ID = id; return o }

func fields(t *testing.T, o schema.Object, names ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range names {
		if v, ok := o.Value.Get(name); ok {
			out[name] = showValue(o.Kind.Attr(name), v)
		}
	}
	return out
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func valueOrNull(a *schema.Attr, v any) cty.Value {
	if v == nil {
		return cty.NullVal(a.Type)
	}
	return valueOf(v)
}

// sets is a set of texts.
func sets(texts ...string) cty.Value {
	if len(texts) == 0 {
		return cty.SetValEmpty(cty.String)
	}
	values := make([]cty.Value, len(texts))
	for i, text := range texts {
		values[i] = cty.StringVal(text)
	}
	return cty.SetVal(values)
}
