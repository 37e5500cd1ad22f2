package gist_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/forge/forgetest"
	"hew/server/gist"
	"hew/server/mail"
	"hew/server/outbound"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// scene is a user with gists at a host of the GitHub kind, whose files are on another host.
type scene struct {
	t     *testing.T
	s     *servertest.Server
	user  servertest.Persona
	host  *forgetest.Host
	files *httptest.Server
	serve func(w http.ResponseWriter, r *http.Request) // what files answers; nil: the name of the file

	mu     sync.Mutex
	tokens []string // that files was sent
}

func newScene(t *testing.T, name string) *scene {
	sc := &scene{t: t, s: servertest.Fresh(t), host: forgetest.New(t, t.TempDir())}
	sc.user = sc.s.User(t, name)
	sc.files = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sc.mu.Lock()
		if token := r.Header.Get("Authorization"); token != "" {
			sc.tokens = append(sc.tokens, token)
		}
		sc.mu.Unlock()
		if sc.serve != nil {
			sc.serve(w, r)
			return
		}
		_, _ = fmt.Fprint(w, "content of ", r.URL.Path)
	}))
	t.Cleanup(sc.files.Close)
	sc.allow(sc.host.URL, sc.files.URL)
	return sc
}

// allow lets the server send requests to these addresses of the loopback alone.
func (sc *scene) allow(addresses ...string) {
	var list []string
	for _, a := range addresses {
		list = append(list, strings.TrimPrefix(a, "http://"))
	}
	reply := sc.s.Do(sc.t, sc.s.RootToken, "PUT", "/application/settings", map[string]any{
		"outbound_local_requests_whitelist": list, "import_sources": []string{"github"},
	})
	require.Equal(sc.t, 200, reply.Status, string(reply.Body))
}

func (sc *scene) base() string { return sc.host.URL + "/api/v3" }

// gist returns a gist as the host lists it.
func (sc *scene) gist(id, description string, public bool, names ...string) map[string]any {
	files := map[string]any{}
	for _, n := range names {
		files[n] = map[string]any{"filename": n, "size": 10, "raw_url": sc.files.URL + "/" + id + "/" + n}
	}
	return map[string]any{
		"id": id, "description": description, "public": public, "files": files, "created_at": "2020-01-02T03:04:05Z",
	}
}

func (sc *scene) list(gists ...map[string]any) {
	var entries []any
	for _, g := range gists {
		entries = append(entries, g)
	}
	sc.host.Set(func() { sc.host.Lists["/api/v3/gists"] = entries })
}

// importer returns one whose clock is later by some time, and that does not wait.
func (sc *scene) importer(later time.Duration) gist.Importer {
	return gist.Importer{
		Out: &outbound.Guard{}, Now: func() time.Time { return time.Now().Add(later) },
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// attempt stores an import and goes on with it once.
func (sc *scene) attempt() gist.Import {
	require.NoError(sc.t, gist.Insert(sc.t.Context(), sc.s.Store, sc.user.ID, sc.base(), sc.host.Token))
	return sc.goOn(0)
}

func (sc *scene) goOn(later time.Duration) gist.Import {
	require.NoError(sc.t, sc.importer(later).Attempt(sc.t.Context(), sc.s.Store, sc.user.ID))
	return sc.found()
}

func (sc *scene) found() gist.Import {
	i, err := gist.Find(sc.t.Context(), sc.s.Store, sc.user.ID)
	require.NoError(sc.t, err)
	return i
}

// titles returns the titles of the user's snippets with their visibility, oldest first.
func (sc *scene) titles() []string {
	list, err := db.Values[string](sc.t.Context(), sc.s.Store, `
		select title || ' ' || visibility from snippets order by id`, nil)
	require.NoError(sc.t, err)
	return list
}

func (sc *scene) post(token string) servertest.Reply {
	return sc.s.Do(sc.t, sc.user.Token, "POST", "/import/forge/gists", map[string]any{
		"personal_access_token": token, "forge_hostname": sc.host.URL,
	})
}

func TestImport(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gisty")
	var many []string
	for n := range 11 {
		many = append(many, fmt.Sprint("f", n))
	}
	long := strings.Repeat("ü", 300)
	sc.list(
		sc.gist("a1", "Two files", true, "b.go", "a.go"), sc.gist("a2", "", false, "only.txt"),
		sc.gist("a3", "Too many", true, many...), sc.gist("a4", "Odd", true, "../x"), sc.gist("a5", "", true),
		sc.gist("a6", long, true, "x"), sc.gist("a7", "NUL \x00 in it", true, "bin"),
	)
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/bin") {
			_, _ = w.Write([]byte{0, 1, 0xff})
			return
		}
		_, _ = fmt.Fprint(w, r.URL.Path)
	}
	reply := sc.post(sc.host.Token)
	require.Equal(t, 202, reply.Status, string(reply.Body))
	require.Empty(t, reply.Body)
	sc.s.Drain(t)

	want := []string{"Two files 20", "only.txt 0", strings.Repeat("ü", 255) + " 20", "NUL \uFFFD in it 20"}
	require.Equal(t, want, sc.titles())
	var record struct {
		Status  string         `json:"import_status"`
		Count   int            `json:"imported_count"`
		Skipped []gist.Skipped `json:"skipped"`
	}
	sc.s.Do(t, sc.user.Token, "GET", "/import/github/gists", nil).Into(t, &record)
	require.Equal(t, "finished", record.Status)
	require.Equal(t, 4, record.Count)
	require.Equal(t, []gist.Skipped{
		{ID: "a3", Title: "Too many", Reason: "Snippet maximum file count exceeded"},
		{ID: "a4", Title: "Odd", Reason: "the file ../x has a path that git does not allow"},
		{ID: "a5", Title: "a5", Reason: "the gist has no files"},
	}, record.Skipped)
	raw := sc.s.Do(t, sc.user.Token, "GET", "/snippets/1/files/main/b.go/raw", nil)
	require.Equal(t, "/a1/b.go", string(raw.Body))
	raw = sc.s.Do(t, sc.user.Token, "GET", "/snippets/4/raw", nil)
	require.Equal(t, []byte{0, 1, 0xff}, raw.Body)
	shown := string(sc.s.Do(t, sc.user.Token, "GET", "/snippets/1", nil).Body)
	require.Contains(t, shown, `"imported":true,"imported_from":"github"`)
	require.Contains(t, shown, `"created_at":"2020-01-02T03:04:05Z"`)
	require.Empty(t, sc.tokens, "the host of the files is not that of the API")
	require.Nil(t, sc.found().SealedToken)

	// Another import brings what is new, and nothing twice.
	sc.list(sc.gist("a9", "New", false, "n"), sc.gist("a1", "Two files", true, "a.go"))
	require.Equal(t, 202, sc.post(sc.host.Token).Status)
	sc.s.Drain(t)
	require.Equal(t, append(want, "New 0"), sc.titles())
	require.Equal(t, 1, sc.found().Imported)
}

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
			w.WriteHeader(500)
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
		{ID: "3", Title: "Three", Reason: "the file x cannot be read: the host has an error (HTTP 500)"},
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

// Settings bound what becomes of gists: their size and their visibility.
func TestSettings(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistsettings")
	reply := sc.s.Do(t, sc.s.RootToken, "PUT", "/application/settings", map[string]any{
		"snippet_size_limit": 20, "restricted_visibility_levels": []string{"public"},
	})
	require.Equal(t, 200, reply.Status, string(reply.Body))
	sc.list(sc.gist("1", "Small", true, "x"), sc.gist("2", "Large", true, "x", "y", "z"),
		sc.gist("3", "Liar", true, "big"))
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		size := 5
		if strings.HasSuffix(r.URL.Path, "/big") {
			size = 21
		}
		_, _ = fmt.Fprint(w, strings.Repeat("x", size))
	}
	i := sc.attempt()
	require.Equal(t, []string{"Small 0"}, sc.titles())
	const tooLarge = "Snippet repository size exceeded"
	require.Equal(t, []gist.Skipped{{"2", "Large", tooLarge}, {"3", "Liar", tooLarge}}, i.Skipped)
}

// A mail tells the user which gists were skipped.
func TestMail(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistmail")
	server, err := mail.Open("smtp://127.0.0.1:1?from=hewd@example.com&tls=none")
	require.NoError(t, err)
	mail.Attach(sc.s.Store, server)
	letters := func() []string {
		list, err := db.Values[string](t.Context(), sc.s.Store, `
			select (args ->> 'address') || ': ' || (args #>> '{message,text}') from river_job
			where kind = 'send_mail'`, nil)
		require.NoError(t, err)
		return list
	}
	sc.list(sc.gist("1", "Fine", true, "x"))
	require.Equal(t, gist.Finished, sc.attempt().Status)
	require.Empty(t, letters(), "nothing was skipped")
	sc.list(sc.gist("2", "Empty", true), sc.gist("1", "Fine", true, "x"))
	sc.attempt()
	require.Equal(t, []string{"gistmail@example.com: The import of your gists has ended. Imported: 0.\n\n" +
		"Not imported:\n- Empty (2): the gist has no files\n"}, letters())
}

// Of several requests at once, one begins an import.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistonce")
	sc.list(sc.gist("1", "One", true, "x"))
	block := make(chan struct{})
	sc.serve = func(w http.ResponseWriter, _ *http.Request) {
		<-block
		_, _ = fmt.Fprint(w, "x")
	}
	statuses := make([]int, 4)
	var group sync.WaitGroup
	for n := range statuses {
		group.Go(func() { statuses[n] = sc.post(sc.host.Token).Status })
	}
	group.Wait()
	close(block)
	slices.Sort(statuses)
	require.Equal(t, []int{202, 422, 422, 422}, statuses)
	sc.s.Drain(t)
	require.Equal(t, []string{"One 20"}, sc.titles())
}
