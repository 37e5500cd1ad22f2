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
)

// An import waits for a host of files that does not answer. After hours it skips the gist, and does
// not wait again for further gists.
func TestFilesUnavailable(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistfiles")
	sc.list(sc.gist("1", "One", true, "x"), sc.gist("2", "Two", true, "x"), sc.gist("3", "Three", true, "x"),
		sc.gist("4", "Four", true, "x"))
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/2/") || strings.HasPrefix(r.URL.Path, "/3/") {
			w.WriteHeader(500)
		}
		_, _ = fmt.Fprint(w, "x")
	}
	i := sc.attempt()
	require.Equal(t, []any{gist.Started, 1, 0}, []any{i.Status, i.Imported, len(i.Skipped)})
	require.NotNil(t, i.WaitsUntil)
	i = sc.goOn(3 * time.Hour)
	require.Equal(t, gist.Finished, i.Status)
	require.Equal(t, []string{"One 20", "Four 20"}, sc.titles())
	const reason = "the file x cannot be read: the host has an error (HTTP 500)"
	require.Equal(t, []gist.Skipped{{"2", "Two", reason}, {"3", "Three", reason}}, i.Skipped)
}

// An import that has lasted for days ends when it has had nothing from the host for one, whatever
// the host says.
func TestIdle(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistidle")
	var all []map[string]any
	for n := range 101 { // two pages
		all = append(all, sc.gist(fmt.Sprint(n), fmt.Sprint("Gist ", n), true, "x"))
	}
	sc.list(all...)
	for fault, want := range map[*forgetest.Fault]string{
		{Status: 500, Body: "{}"}:                                     "the host has not answered for a day: the host gives no reason (HTTP 500)",
		{Status: 429, Header: map[string]string{"Retry-After": "60"}}: "the host has taken no requests for a day",
	} {
		later, down := time.Duration(0), atomic.Bool{}
		sc.host.Set(func() {
			sc.host.Fault = func(r *http.Request) *forgetest.Fault {
				if down.Load() || r.URL.Query().Get("page") == "2" {
					return fault
				}
				return nil
			}
		})
		down.Store(true)
		require.Equal(t, gist.Started, sc.attempt().Status)
		down.Store(false)
		later += 23 * time.Hour
		require.Equal(t, gist.Started, sc.goOn(later).Status, "it has read a page")
		later += 2 * time.Hour
		require.Equal(t, gist.Started, sc.goOn(later).Status, "it has lasted for a day, but moved two hours ago")
		later += 23 * time.Hour
		i := sc.goOn(later)
		require.Equal(t, gist.Failed, i.Status)
		require.Equal(t, want, *i.Failure)
	}
}

// A process that has waited for a page says that it is alive before it waits for a file.
func TestAliveAfterPage(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistalive")
	sc.list(sc.gist("1", "One", true, "x"))
	sc.host.Set(func() {
		sc.host.Fault = func(*http.Request) *forgetest.Fault {
			_ = sc.s.Store.Exec(context.Background(), `
				update gist_imports set progressed_at = now() - interval '2 minutes'`, nil)
			return nil
		}
	})
	alive := atomic.Bool{}
	sc.serve = func(w http.ResponseWriter, _ *http.Request) {
		alive.Store(time.Since(sc.found().ProgressedAt) < time.Minute)
		_, _ = fmt.Fprint(w, "x")
	}
	require.Equal(t, gist.Finished, sc.attempt().Status)
	require.True(t, alive.Load())
}
