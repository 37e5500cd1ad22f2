package mirror_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
)

// TestPushRefusedBatch: the other side does not have the objects of refs that it has refused.
func TestPushRefusedBatch(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "batches")
	to := sc.bare("site.git")
	const hook = "#!/bin/sh\nwhile read old new ref; do [ $ref != refs/heads/main ] || exit 1; done\n"
	require.NoError(t, os.WriteFile(filepath.Join(to.Dir, "hooks", "pre-receive"), []byte(hook), 0o755))
	m := sc.mirror(sc.url+"/site.git", nil)
	for i := range 12 { // the first batch has main and nine of them
		sc.work.Git("branch", fmt.Sprintf("b%02d", i))
	}
	sc.push("--all")
	now := sc.show(m)
	require.Equal(t, "to_retry", now.Status)
	require.Contains(t, now.error(), "refs/heads/main: pre-receive hook declined")
	require.NotContains(t, now.error(), "b09")
	require.Equal(t, "b09\nb10\nb11\n", to.Git("for-each-ref", "--format=%(refname:short)"))
	to.Git("fsck", "--strict")
}

// TestPushDeletesTags: an annotated tag that the project has no more goes from the mirror, too.
func TestPushDeletesTags(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "tags")
	to := sc.bare("site.git")
	m := sc.mirror(sc.url+"/site.git", nil)
	sc.work.Git("tag", "-am", "One", "v1")
	sc.work.Git("tag", "-am", "Two", "v2")
	sc.push("main", "v1", "v2")
	require.Equal(t, "finished", sc.show(m).Status)
	require.Equal(t, refsOf(sc.work), refsOf(to))
	sc.work.Git("tag", "-d", "v1")
	sc.push("--delete", "v1")
	require.Equal(t, "finished", sc.sync(m).Status)
	require.Equal(t, refsOf(sc.work), refsOf(to))
}

// TestPushVerifiesLFS: each request of git-lfs is made with the credentials that were given for it.
func TestPushVerifiesLFS(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "verifier")
	oid := fmt.Sprintf("%x", sha256.Sum256([]byte("large")))
	require.NoError(t, code.StoreLFSObject(t.Context(), sc.s.Store, sc.project.ID, oid, 5, strings.NewReader("large")))
	var mu sync.Mutex
	seen := map[string]string{}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.URL.Path] = r.Header.Get("Authorization")
		at := "http://" + r.Host
		action := func(path string) any {
			return map[string]any{"href": at + path, "header": map[string]string{"Authorization": "Bearer " + path}}
		}
		switch r.URL.Path {
		case "/a.git/info/lfs/objects/batch":
			_ = json.NewEncoder(w).Encode(map[string]any{"objects": []any{map[string]any{
				"oid": oid, "size": 5,
				"actions": map[string]any{"upload": action("/upload"), "verify": action("/verify")},
			}}})
		case "/upload", "/verify":
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(host.Close)
	sc.push("main")
	m := sc.mirror(strings.Replace(host.URL, "http://", "HTTP://ann:word@", 1)+"/a.git", nil)
	require.Equal(t, "127.0.0.1 has no repository at this address", sc.sync(m).error())
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, "Bearer /upload", seen["/upload"])
	require.Equal(t, "Bearer /verify", seen["/verify"])
}

// TestPushLFSFaults: large files that the host does not take do not end the push, and are told.
func TestPushLFSFaults(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "lfsfaults")
	to := sc.bare("site.git")
	sc.push("main")
	oid := fmt.Sprintf("%x", sha256.Sum256([]byte("large")))
	require.NoError(t, code.StoreLFSObject(t.Context(), sc.s.Store, sc.project.ID, oid, 5, strings.NewReader("large")))
	var answer atomic.Int32
	git, err := url.Parse(sc.url)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(git)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/objects/batch") {
			w.WriteHeader(int(answer.Load()))
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(host.Close)
	m := sc.mirror(strings.Replace(host.URL, "http://", "http://ann:word@", 1)+"/site.git", nil)
	for status, text := range map[int32]string{
		http.StatusNotFound: "",
		http.StatusServiceUnavailable: "The files of Git LFS have not been updated: " +
			"the host answers a request of Git LFS with status 503",
	} {
		answer.Store(status)
		now := sc.sync(m)
		require.Equal(t, "finished", now.Status)
		require.Equal(t, text, now.error())
		require.Equal(t, refsOf(sc.work), refsOf(to))
	}
}

// TestPushMany: a project has ten push mirrors at most, also when they are made at once. Three of
// them run at once, in a queue that they share with no mail; the next one starts after one of them.
func TestPushMany(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "many")
	to := sc.bare("site.git")
	sc.push("main")
	var mu sync.Mutex
	var all sync.WaitGroup
	statuses := map[int]int{}
	for range 13 {
		all.Go(func() {
			reply := sc.do("POST", "/remote_mirrors", map[string]any{"url": sc.url + "/site.git", "enabled": true})
			mu.Lock()
			defer mu.Unlock()
			statuses[reply.Status]++
		})
	}
	all.Wait()
	require.Equal(t, map[int]int{201: 10, 400: 3}, statuses)

	var list []state
	sc.do("GET", "/remote_mirrors", nil).Into(t, &list)
	run := func(alive *string, n int) {
		t.Helper()
		for _, m := range list[:n] {
			require.NoError(t, sc.s.Store.Exec(t.Context(), `
				update push_mirrors set alive_at = now() - @alive::interval where id = @id`,
				pgx.NamedArgs{"id": m.ID, "alive": alive}))
		}
	}
	last := list[9]
	run(new("1 second"), 3)
	require.Equal(t, "none", sc.sync(last).Status)
	require.Empty(t, refsOf(to))
	run(nil, 1)
	require.Equal(t, "finished", sc.sync(list[8]).Status)
	require.Equal(t, "finished", sc.show(last).Status, "it has waited")
	require.Equal(t, refsOf(sc.work), refsOf(to))
	queues, err := db.Values[string](t.Context(), sc.s.Store,
		`select distinct queue from river_job where kind = 'push_to_mirror'`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"long"}, queues)
}
