package rest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/rest"
)

// journal notes what happens to a unit, in order.
type journal struct {
	http.ResponseWriter
	events []string
	commit error
}

func (j *journal) begin(context.Context) (func(error) error, error) {
	j.events = append(j.events, "begin")
	return func(err error) error {
		if err != nil {
			j.events = append(j.events, "undo")
			return err
		}
		j.events = append(j.events, "commit")
		return j.commit
	}, nil
}

func (j *journal) WriteHeader(status int) {
	j.events = append(j.events, http.StatusText(status))
	j.ResponseWriter.WriteHeader(status)
}

func TestUnit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		method string
		do     func() (int, error)
		commit error
		want   []string
	}{
		{"a read", "GET", func() (int, error) { return 1, nil }, nil, []string{"do", "OK"}},
		{"a head", "HEAD", func() (int, error) { return 1, nil }, nil, []string{"do", "OK"}},
		{"a write", "POST", func() (int, error) { return 1, nil }, nil, []string{"begin", "do", "commit", "Created"}},
		{"a fault", "POST", func() (int, error) { return 0, fault.Conflict("") }, nil,
			[]string{"begin", "do", "undo", "Conflict"}},
		{"an error", "POST", func() (int, error) { return 0, errors.New("no") }, nil,
			[]string{"begin", "do", "undo", "Internal Server Error"}},
		{"a panic", "POST", func() (int, error) { panic("no") }, nil,
			[]string{"begin", "do", "undo", "Internal Server Error"}},
		{"a refused commit", "POST", func() (int, error) { return 1, nil }, fault.Conflict(""),
			[]string{"begin", "do", "commit", "Conflict"}},
		{"a lost commit", "POST", func() (int, error) { return 1, nil }, errors.New("gone"),
			[]string{"begin", "do", "commit", "Internal Server Error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := &journal{ResponseWriter: httptest.NewRecorder(), commit: tt.commit}
			do := func(context.Context, rest.None, rest.None) (int, error) {
				j.events = append(j.events, "do")
				return tt.do()
			}
			h := rest.New(rest.Config{Log: quiet, Begin: j.begin},
				[]rest.Route{rest.Get("/x", anyone, do), rest.Post("/x", anyone, do)})
			h.ServeHTTP(j, httptest.NewRequest(tt.method, "/api/v4/x", nil))
			require.Equal(t, tt.want, j.events)
		})
	}
}

// A unit that another one gets in the way of is run again, guard and decoding included, but only
// once, and not if it has left something behind.
func TestUnitIsRunAgain(t *testing.T) {
	t.Parallel()
	overtaken := fault.Conflict("")
	for _, tt := range []struct {
		path   string
		losses int
		want   []string
	}{
		{"/x", 1, []string{"guard", "begin", "undo", "guard", "begin", "commit", "Created"}},
		{"/x", 2, []string{"guard", "begin", "undo", "guard", "begin", "undo", "Conflict"}},
		{"/bare", 1, []string{"guard", "Conflict"}},
		{"/upload", 1, []string{"guard", "begin", "undo", "Conflict"}},
	} {
		j := &journal{ResponseWriter: httptest.NewRecorder()}
		guard := rest.Guard[rest.None]{Need: "anyone", Open: func(context.Context, *http.Request) (rest.None, error) {
			j.events = append(j.events, "guard")
			return rest.None{}, nil
		}}
		lost := 0
		lose := func() error {
			if lost++; lost <= tt.losses {
				return overtaken
			}
			return nil
		}
		do := func(context.Context, rest.None, rest.None) (int, error) { return 1, lose() }
		keep := func(context.Context, rest.None, uploadIn) (int, error) { return 1, lose() }
		h := rest.New(rest.Config{
			Log: quiet, Begin: j.begin, Again: func(err error) bool { return errors.Is(err, overtaken) },
		}, []rest.Route{
			rest.Post("/x", guard, do), rest.Post("/bare", guard, do).WithoutTransaction(),
			rest.Post("/upload", guard, keep),
		})
		h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4"+tt.path, nil))
		require.Equal(t, tt.want, j.events, "%s after %d losses", tt.path, tt.losses)
	}
}

// noted is a body that records when it is read.
type noted struct {
	io.Reader
	journal *journal
}

func (n noted) Read(p []byte) (int, error) {
	n.journal.events = append(n.journal.events, "body")
	return n.Reader.Read(p)
}

// A client that sends its body drop by drop must not hold a transaction meanwhile. Uploads are for
// the handler to read.
func TestBodyIsReadBeforeTheUnit(t *testing.T) {
	t.Parallel()
	do := func(context.Context, rest.None, rest.None) (int, error) { return 1, nil }
	keep := func(_ context.Context, _ rest.None, in uploadIn) (int64, error) { return io.Copy(io.Discard, in) }
	for path, want := range map[string][]string{
		"/x":      {"body", "begin", "commit", "Created"},
		"/upload": {"begin", "body", "commit", "Created"},
	} {
		for _, contentType := range []string{"", "application/x-www-form-urlencoded",
			"multipart/form-data; boundary=b"} {
			j := &journal{ResponseWriter: httptest.NewRecorder()}
			h := rest.New(rest.Config{Log: quiet, Begin: j.begin},
				[]rest.Route{rest.Post("/x", anyone, do), rest.Post("/upload", anyone, keep)})
			r := httptest.NewRequest("POST", "/api/v4"+path, noted{strings.NewReader("--b--\r\n"), j})
			r.Header.Set("Content-Type", contentType)
			h.ServeHTTP(j, r)
			require.Equal(t, want, slices.Compact(j.events), "%s as %q", path, contentType)
		}
	}
}

// Refused and invalid requests open no transaction.
func TestRefusalsNeedNoUnit(t *testing.T) {
	t.Parallel()
	j := &journal{ResponseWriter: httptest.NewRecorder()}
	nobody := rest.Guard[rest.None]{Need: "nobody", Open: func(context.Context, *http.Request) (rest.None, error) {
		return rest.None{}, fault.Forbidden("")
	}}
	do := func(_ context.Context, _ rest.None, _ struct {
		N int `param:"n"`
	}) (int, error) {
		return 1, nil
	}
	h := rest.New(
		rest.Config{Log: quiet, Begin: j.begin}, []rest.Route{rest.Post("/x", nobody, do), rest.Post("/y", anyone, do)},
	)
	h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4/x", nil))
	h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4/y?n=many", nil))
	h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4/y?n=1", nil))
	require.Equal(t, []string{"Forbidden", "Bad Request", "begin", "commit", "Created"}, j.events)
}

// A value that cannot be encoded rolls the transaction back. A raw answer is written after the
// commit.
func TestUnitEndsBeforeTheReply(t *testing.T) {
	t.Parallel()
	j := &journal{ResponseWriter: httptest.NewRecorder()}
	stream := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		j.events = append(j.events, "stream")
		w.WriteHeader(http.StatusTeapot)
	})
	h := rest.New(rest.Config{Log: quiet, Begin: j.begin}, []rest.Route{
		rest.Post("/odd", anyone, answers(func() {}, nil)),
		rest.Post("/stream", anyone, answers[rest.Raw](stream, nil)),
	})
	h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4/odd", nil))
	h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4/stream", nil))
	require.Equal(t, []string{
		"begin", "undo", "Internal Server Error",
		"begin", "commit", "stream", "I'm a teapot",
	}, j.events)
}

func TestAbortCutsTheConnection(t *testing.T) {
	t.Parallel()
	j := &journal{ResponseWriter: httptest.NewRecorder()}
	abort := func(context.Context, rest.None, rest.None) (int, error) { panic(http.ErrAbortHandler) }
	h := rest.New(rest.Config{Log: quiet, Begin: j.begin}, []rest.Route{rest.Post("/x", anyone, abort)})
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		h.ServeHTTP(j, httptest.NewRequest("POST", "/api/v4/x", nil))
	})
	require.Equal(t, []string{"begin", "undo"}, j.events)
}

// A stream that breaks must not look like one that is complete.
func TestBrokenStreamCutsTheConnection(t *testing.T) {
	t.Parallel()
	stream := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half"))
		panic("disk")
	})
	server := httptest.NewServer(rest.New(rest.Config{Log: quiet}, []rest.Route{
		rest.Get("/x", anyone, answers[rest.Raw](stream, nil)),
	}))
	defer server.Close()
	reply, err := http.Get(server.URL + "/api/v4/x")
	if err == nil { // else the head was lost with the body
		_, err = io.ReadAll(reply.Body)
		require.NoError(t, reply.Body.Close())
	}
	require.Error(t, err)
}

func TestNobodyIsToldWhenTheClientHasGone(t *testing.T) {
	t.Parallel()
	j := &journal{ResponseWriter: httptest.NewRecorder()}
	ctx, cancel := context.WithCancel(t.Context())
	gone := func(ctx context.Context, _, _ rest.None) (int, error) {
		cancel()
		return 0, ctx.Err()
	}
	status := 0
	h := rest.New(rest.Config{Log: quiet, Begin: j.begin,
		Observe: func(_, _ string, s int, _ time.Duration) { status = s }},
		[]rest.Route{rest.Post("/x", anyone, gone)})
	h.ServeHTTP(j, httptest.NewRequestWithContext(ctx, "POST", "/api/v4/x", nil))
	require.Equal(t, []string{"begin", "undo"}, j.events)
	require.Equal(t, 499, status)
}

func TestUnmodified(t *testing.T) {
	t.Parallel()
	changed := time.Date(2026, 5, 1, 12, 0, 0, 600_000_000, time.UTC)
	h := rest.New(rest.Config{Log: quiet}, []rest.Route{
		rest.Delete("/x", anyone, func(ctx context.Context, _, _ rest.None) (rest.None, error) {
			return rest.None{}, rest.Unmodified(ctx, changed)
		}),
	})
	tests := map[string]int{
		"":                              204,
		"soon":                          204,
		"Fri, 01 May 2026 12:00:00 GMT": 204,
		"Fri, 01 May 2026 11:59:59 GMT": 412,
	}
	for since, want := range tests {
		w := serve(h, "DELETE", "/api/v4/x", "", "If-Unmodified-Since", since)
		require.Equal(t, want, w.Code, since)
	}
}
