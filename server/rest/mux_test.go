package rest_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/rest"
)

// anyone is a guard that lets everybody in.
var anyone = rest.Guard[rest.None]{
	Need: "nothing",
	Open: func(context.Context, *http.Request) (rest.None, error) { return rest.None{}, nil },
}

// byID is a guard whose scope is the path's id.
var byID = rest.Guard[string]{
	Need: "an id",
	Open: func(_ context.Context, r *http.Request) (string, error) { return r.PathValue("id"), nil },
}

// answers makes a handler that always answers the same.
func answers[Out any](out Out, err error) rest.Handler[rest.None, rest.None, Out] {
	return func(context.Context, rest.None, rest.None) (Out, error) { return out, err }
}

func echoID(_ context.Context, id string, _ rest.None) (string, error) { return id, nil }

type echoIn struct {
	A string `param:"a"`
	B string `param:"b"`
}

func echo(_ context.Context, _ rest.None, in echoIn) (echoIn, error) { return in, nil }

type uploadIn struct {
	Name string `param:"name"`
	rest.Body
}

func upload(_ context.Context, _ rest.None, in uploadIn) (rest.Raw, error) {
	content, err := io.ReadAll(in)
	return rest.JSON(http.StatusAccepted, in.Name+":"+string(content)), err
}

func routes() []rest.Route {
	return []rest.Route{
		rest.Get("/version", anyone, answers("1 <2>", nil)),
		rest.Get("/things/{id}", byID, echoID),
		rest.Put("/things/{id}", byID, echoID),
		rest.Delete("/things/{id}", byID,
			func(context.Context, string, rest.None) (rest.None, error) { return rest.None{}, nil }),
		rest.Post("/things/{id}/act", anyone, answers(rest.None{}, nil)),
		rest.Post("/things/{id}/later", anyone, answers(rest.None{}, nil)).Status(http.StatusAccepted),
		rest.Patch("/things/{id}", anyone, answers[*int](nil, nil)),
		rest.Post("/echo", anyone, echo).Limit(32),
		rest.Post("/upload", anyone, upload),
		rest.Get("/crash", anyone, func(context.Context, rest.None, rest.None) (int, error) { panic("out of range") }),
		rest.Get("/odd", anyone, answers(func() {}, nil)),
		rest.Get("/slow", anyone, func(ctx context.Context, _, _ rest.None) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}).Timeout(time.Nanosecond),
	}
}

// quiet is a logger that nobody reads.
var quiet = slog.New(slog.DiscardHandler)

func serve(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRouting(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	h := rest.New(rest.Config{Log: quiet}, routes())
	tests := []struct {
		method, path, body, contentType string
		status                          int
		want                            string
	}{
		{"GET", "/version", "", "", 200, `"1 <2>"`},
		{"GET", "/version.json", "", "", 200, `"1 <2>"`},
		{"GET", "/version.json.json", "", "", 404, `{"error":"404 Not Found"}`},
		{"GET", "/version/", "", "", 200, `"1 <2>"`},
		{"HEAD", "/version", "", "", 200, `"1 <2>"`}, // net/http drops the body, a recorder does not
		{"GET", "//version", "", "", 200, `"1 <2>"`},
		{"GET", "/./version", "", "", 404, `{"error":"404 Not Found"}`},
		{"GET", "/nothing", "", "", 404, `{"error":"404 Not Found"}`},
		{"GET", "/things/a%00", "", "", 404, `{"error":"404 Not Found"}`},
		{"POST", "/version", "", "", 405, `{"error":"405 Not Allowed"}`},
		{"OPTIONS", "/things/1", "", "", 204, ``},
		{"OPTIONS", "/nothing", "", "", 404, `{"error":"404 Not Found"}`},
		{"GET", "/things/a%2Fb.c%2fd", "", "", 200, `"a/b.c/d"`},
		{"GET", "/things/7.json", "", "", 200, `"7"`},
		{"GET", "/things/a%2Fpackage.json", "", "", 200, `"a/package.json"`},
		{"GET", "/things/%2e%2e%2Fetc", "", "", 200, `"../etc"`},
		{"PUT", "/things/1", "", "", 200, `"1"`},
		{"DELETE", "/things/1", "", "", 204, ``},
		{"POST", "/things/1/act", "", "", 201, `{"message":"201 Created"}`},
		{"POST", "/things/1/later", "", "", 202, `{"message":"202 Accepted"}`},
		{"PATCH", "/things/1", "", "", 200, `null`},
		{"POST", "/echo?a=1&b=2", "b=3", form, 201, `{"A":"1","B":"3"}`},
		{"POST", "/echo?a=1", "b=3", "", 201, `{"A":"1","B":"3"}`},
		{"POST", "/echo", `{"a":"<&>"}`, "application/json; charset=utf-8", 201, `{"A":"<&>","B":""}`},
		{"POST", "/echo", `x`, "text/plain", 415,
			`{"error":"The provided content-type 'text/plain' is not supported."}`},
		{"POST", "/echo", ``, "text/plain", 201, `{"A":"","B":""}`},
		{"POST", "/echo", `[1]`, "application/json", 400, `{"error":"message body does not match declared format"}`},
		{"POST", "/echo?a=%zz", ``, "", 400, `{"message":"400 Bad request - invalid encoding of a parameter"}`},
		{"POST", "/echo", "a=" + strings.Repeat("x", 31), form, 413,
			`{"message":"413 Request Entity Too Large - the body of this request may have at most 32 bytes; send a smaller one"}`},
		{"POST", "/upload?name=n", "as it is", "", 202, `"n:as it is"`},
		{"POST", "/upload?name=n", `{"name":"m"}`, "application/json", 202, `"n:{\"name\":\"m\"}"`},
		{"GET", "/crash", "", "", 500, `{"message":"500 Internal Server Error"}`},
		{"GET", "/odd", "", "", 500, `{"message":"500 Internal Server Error"}`},
		{"GET", "/slow", "", "", 503, `{"message":"503 Service Unavailable"}`},
	}
	for _, tt := range tests {
		w := serve(h, tt.method, "/api/v4"+tt.path, tt.body, "Content-Type", tt.contentType)
		require.Equal(t, tt.status, w.Code, "%s %s", tt.method, tt.path)
		require.Equal(t, tt.want, w.Body.String(), "%s %s", tt.method, tt.path)
	}
	require.Equal(t, 404, serve(h, "GET", "/version", "").Code, "outside of the API")
}

// A packed body is not unpacked, as that could make very much of little. A stream is its handler's,
// whatever it holds.
func TestContentEncoding(t *testing.T) {
	t.Parallel()
	h := rest.New(rest.Config{Log: quiet}, routes())
	for _, tt := range []struct {
		path, body, encoding string
		status               int
		want                 string
	}{
		{"/echo", `{"a":"1"}`, "gzip", 415, `{"error":"The provided content-encoding 'gzip' is not supported."}`},
		{"/echo", `{"a":"1"}`, "identity", 201, `{"A":"1","B":""}`},
		{"/echo", ``, "gzip", 201, `{"A":"","B":""}`},
		{"/upload?name=n", "packed", "gzip", 202, `"n:packed"`},
	} {
		w := serve(
			h, "POST", "/api/v4"+tt.path, tt.body, "Content-Type", "application/json", "Content-Encoding", tt.encoding,
		)
		require.Equal(t, tt.status, w.Code, "%+v", tt)
		require.Equal(t, tt.want, w.Body.String(), "%+v", tt)
	}
}

// A chunked body has no length to be refused by; it is cut off while it is read.
func TestBodyLimitOfAStream(t *testing.T) {
	t.Parallel()
	h := rest.New(rest.Config{Log: quiet, MaxBody: 16}, routes())
	for _, path := range []string{"/api/v4/echo", "/api/v4/upload"} {
		r := httptest.NewRequest("POST", path, io.MultiReader(strings.NewReader(strings.Repeat("x", 64))))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, http.StatusRequestEntityTooLarge, w.Code, path)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	h := rest.New(rest.Config{Log: quiet}, routes())

	w := serve(h, "GET", "/api/v4/version", "", "X-Request-Id", "abc-123", "Origin", "https://elsewhere.example")
	require.Regexp(t, `^\d+\.\d{6}$`, w.Header().Get("X-Runtime"))
	w.Header().Del("X-Runtime")
	tag := w.Header().Get("ETag")
	require.Regexp(t, `^W/"[0-9a-f]{32}"$`, tag)
	want := http.Header{
		"Access-Control-Allow-Origin": {"*"},
		"Cache-Control":               {"max-age=0, private, must-revalidate"},
		"Content-Length":              {"7"},
		"Content-Type":                {"application/json"},
		"Etag":                        {tag},
		"Vary":                        {"Origin"},
		"X-Content-Type-Options":      {"nosniff"},
		"X-Frame-Options":             {"SAMEORIGIN"},
		"X-Gitlab-Meta":               {`{"correlation_id":"abc-123","version":"1"}`},
		"X-Request-Id":                {"abc-123"},
	}
	require.Contains(t, w.Header().Get("Access-Control-Expose-Headers"), "X-Total-Pages")
	w.Header().Del("Access-Control-Expose-Headers")
	require.Equal(t, want, w.Header())

	for _, match := range []string{tag, `"x", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
		w = serve(h, "GET", "/api/v4/version", "", "If-None-Match", match)
		require.Equal(t, http.StatusNotModified, w.Code, match)
		require.Empty(t, w.Body.String())
		require.Equal(t, tag, w.Header().Get("ETag"))
	}
	w = serve(h, "GET", "/api/v4/version", "", "If-None-Match", `W/"x"`, "X-Request-Id", "a\tb")
	require.Equal(t, http.StatusOK, w.Code)
	require.NotContains(t, w.Header().Get("X-Request-Id"), "a", "an id that cannot be logged as it is gets replaced")
	require.NotEmpty(t, w.Header().Get("X-Request-Id"))

	w = serve(h, "PUT", "/api/v4/version", "")
	require.Equal(t, "GET, HEAD, OPTIONS", w.Header().Get("Allow"))
	w = serve(h, "OPTIONS", "/api/v4/things/1.json", "")
	require.Equal(t, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS", w.Header().Get("Allow"))

	w = serve(h, "OPTIONS", "/api/v4/things/1", "", "Origin", "https://elsewhere.example",
		"Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "private-token")
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, "private-token", w.Header().Get("Access-Control-Allow-Headers"))
	require.Contains(t, w.Header().Get("Access-Control-Allow-Methods"), "PUT")
	require.Empty(t, w.Header().Get("Access-Control-Allow-Credentials"))
}

func TestTableMistakesPanic(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { rest.Get("/x", rest.Guard[rest.None]{Need: "nothing"}, answers(0, nil)) })
	require.Panics(t, func() { rest.Get("/x", rest.Guard[rest.None]{Open: anyone.Open}, answers(0, nil)) })
	require.Panics(t, func() {
		rest.New(rest.Config{},
			[]rest.Route{rest.Get("/x", anyone, answers(0, nil)), rest.Get("/x", anyone, answers(0, nil))})
	})
	require.Equal(t, "GET    /x  nothing", rest.Get("/x", anyone, answers(0, nil)).String())
}

// A literal in one place and another literal elsewhere: each matches what the other does, and one
// has to be asked first.
func TestFirst(t *testing.T) {
	t.Parallel()
	say := func(what string) rest.Handler[rest.None, rest.None, string] {
		return func(context.Context, rest.None, rest.None) (string, error) { return what, nil }
	}
	h := rest.New(rest.Config{Log: quiet}, []rest.Route{
		rest.Post("/projects/{id}/archive", anyone, say("archive")),
		rest.Post("/projects/user/{user_id}", anyone, say("user")).Priority(),
	})
	for path, want := range map[string]string{
		"/projects/7/archive": `"archive"`, "/projects/user/7": `"user"`, "/projects/user/archive": `"user"`,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/v4"+path, nil))
		require.Equal(t, want, strings.TrimSpace(w.Body.String()), path)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v4/projects/user/7", nil))
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
}
