package gist_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
	"hew/server/gist"
	"hew/server/outbound"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistrefused")
	sc.list()
	reply := sc.post("wrong")
	require.Equal(t, 401, reply.Status)
	require.JSONEq(t, `{"error":"Access denied to your GitHub account."}`, string(reply.Body))
	sc.host.Set(func() {
		sc.host.Fault = func(*http.Request) *forgetest.Fault {
			return &forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "60"}}
		}
	})
	reply = sc.post(sc.host.Token)
	require.Equal(t, 429, reply.Status)
	require.JSONEq(t, `{"error":"Too Many Requests"}`, string(reply.Body))
	sc.host.Set(func() { sc.host.Fault = nil })

	require.NoError(t, gist.Insert(t.Context(), sc.s.Store, sc.user.ID, sc.base(), sc.host.Token))
	reply = sc.post(sc.host.Token)
	require.Equal(t, 422, reply.Status)
	require.JSONEq(t, `{"errors":"Import already in progress"}`, string(reply.Body))
	require.Error(t, gist.Insert(t.Context(), sc.s.Store, sc.user.ID, sc.base(), "other"))
	require.NotContains(t, string(sc.found().SealedToken), sc.host.Token)

	// The token is revoked while the import runs.
	sc.host.Set(func() { sc.host.Token = "another" })
	i := sc.goOn(0)
	require.Equal(t, gist.Failed, i.Status)
	require.Equal(t, "Access denied to your GitHub account.", *i.Failure)
	require.Nil(t, i.SealedToken)
}

// The import waits for a rate limit, and goes on where it was.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistlimit")
	sc.list(sc.gist("1", "One", true, "x"), sc.gist("2", "Two", true, "x"))
	limited := atomic.Bool{}
	limited.Store(true)
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/2/") && limited.Load() {
			w.Header().Set("Retry-After", "1800")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = fmt.Fprint(w, "x")
	}
	i := sc.attempt()
	require.Equal(t, gist.Started, i.Status)
	require.Equal(t, 1, i.Imported)
	require.WithinDuration(t, time.Now().Add(30*time.Minute), *i.WaitsUntil, time.Minute)
	require.Equal(t, gist.Started, sc.goOn(0).Status, "it waits")
	require.Equal(t, i.WaitsUntil, sc.found().WaitsUntil)
	limited.Store(false)
	i = sc.goOn(time.Hour)
	require.Equal(t, gist.Finished, i.Status)
	require.Equal(t, []string{"One 20", "Two 20"}, sc.titles())

	// The limit of the API itself.
	sc.host.Set(func() {
		sc.host.Left = func() (int, time.Time) { return 0, time.Now().Add(40 * time.Minute) }
		sc.host.Fault = func(*http.Request) *forgetest.Fault { return &forgetest.Fault{Status: 403, Body: `{}`} }
	})
	i = sc.attempt()
	require.WithinDuration(t, time.Now().Add(40*time.Minute), *i.WaitsUntil, time.Minute)
	sc.host.Set(func() { sc.host.Left, sc.host.Fault = nil, nil })
	require.Equal(t, gist.Finished, sc.goOn(time.Hour).Status)
	require.Len(t, sc.titles(), 2)
}

// An import that was killed goes on at its page, and brings nothing twice.
func TestKilled(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistkilled")
	var all []map[string]any
	var want []string
	for n := range 130 { // two pages
		all = append(all, sc.gist(fmt.Sprint("g", n), fmt.Sprint("Gist ", n), true, "x"))
		want = append(want, fmt.Sprint("Gist ", n, " 20"))
	}
	sc.list(all...)
	require.NoError(t, gist.Insert(t.Context(), sc.s.Store, sc.user.ID, sc.base(), sc.host.Token))
	for n, last := range []string{"/g7/x", "/g100/x", "/g101/x"} {
		ctx, kill := context.WithCancel(t.Context())
		sc.serve = func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == last {
				kill()
			}
			_, _ = fmt.Fprint(w, "x")
		}
		_ = sc.importer(time.Duration(n)*time.Hour).Attempt(ctx, sc.s.Store, sc.user.ID)
		kill()
		// as a process that could not say that it ends
		require.NoError(t, sc.s.Store.Exec(t.Context(), `update gist_imports set waits_until = null`, nil))
	}
	i := sc.found()
	require.Equal(t, gist.Started, i.Status)
	require.Contains(t, i.Page, "page=2")
	require.Equal(t, 101, i.Imported)
	require.Equal(t, gist.Started, sc.goOn(0).Status, "the process may be alive")
	sc.serve = nil
	i = sc.goOn(4 * time.Hour)
	require.Equal(t, gist.Finished, i.Status)
	require.Equal(t, 130, i.Imported)
	require.Equal(t, want, sc.titles())
}

// What fails for a moment is tried again; what stays broken is skipped, or ends the import.
func TestFaults(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistfaults")
	sc.list(sc.gist("1", "One", true, "x"), sc.gist("2", "Two", true, "x"), sc.gist("3", "Three", true, "x"),
		sc.gist("4", "Four", true, "x"), sc.gist("5", "Five", true, "x"))
	asked := map[string]int{}
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		sc.mu.Lock()
		asked[r.URL.Path]++
		n := asked[r.URL.Path]
		sc.mu.Unlock()
		switch {
		case r.URL.Path == "/1/x" && n == 1:
			w.WriteHeader(502)
		case r.URL.Path == "/2/x" && n == 1:
			w.Header().Set("Content-Length", "100")
			_, _ = fmt.Fprint(w, "half")
		case r.URL.Path == "/3/x":
			w.WriteHeader(410)
		case r.URL.Path == "/4/x":
			w.WriteHeader(404)
		case r.URL.Path == "/5/x":
			http.Redirect(w, r, "http://127.0.0.1:1/admin", http.StatusFound)
		default:
			_, _ = fmt.Fprint(w, "whole")
		}
	}
	pages := atomic.Int32{}
	sc.host.Set(func() {
		sc.host.Fault = func(*http.Request) *forgetest.Fault {
			switch pages.Add(1) {
			case 1:
				return &forgetest.Fault{Status: 503, Body: "<html>"}
			case 2:
				return &forgetest.Fault{Half: true}
			}
			return nil
		}
	})
	i := sc.attempt()
	require.Equal(t, gist.Finished, i.Status)
	require.Equal(t, []string{"One 20", "Two 20"}, sc.titles())
	require.Equal(t, []gist.Skipped{
		{ID: "3", Title: "Three", Reason: "the file x cannot be read: the host refuses it (HTTP 410)"},
		{ID: "4", Title: "Four", Reason: "the file x cannot be read: the host refuses it (HTTP 404)"},
		{ID: "5", Title: "Five", Reason: "the file x cannot be read: " +
			(&outbound.RefusedError{Host: "127.0.0.1"}).Error()},
	}, i.Skipped)

	for _, f := range []struct {
		fault forgetest.Fault
		want  string
	}{
		{forgetest.Fault{Status: 404, Body: `{"message":"Not Found"}`},
			"Import failed due to a GitHub error: Not Found (HTTP 404)"},
		{forgetest.Fault{Status: 200, Body: `{"gists":[]}`}, "unexpected shape"},
		{forgetest.Fault{Status: 302, Header: map[string]string{"Location": "http://127.0.0.1:1/"}}, "another host"},
	} {
		sc.host.Set(func() { sc.host.Fault = func(*http.Request) *forgetest.Fault { return &f.fault } })
		i := sc.attempt()
		require.Equal(t, gist.Failed, i.Status)
		require.Contains(t, *i.Failure, f.want)
	}
	// A host that does not answer is asked again for a day.
	sc.host.Set(func() {
		sc.host.Fault = func(*http.Request) *forgetest.Fault { return &forgetest.Fault{Status: 500} }
	})
	i = sc.attempt()
	require.Equal(t, gist.Started, i.Status)
	require.NotNil(t, i.WaitsUntil)
	i = sc.goOn(25 * time.Hour)
	require.Equal(t, gist.Failed, i.Status)
	require.Contains(t, *i.Failure, "has not answered for a day")
}
