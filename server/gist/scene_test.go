package gist_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/forge/forgetest"
	"hew/server/gist"
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
