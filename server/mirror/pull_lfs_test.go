package mirror_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/gittest"
)

// large returns a file of git-lfs: its pointer and its oid.
func large(content string) (pointer, oid string) {
	oid = fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, len(content)), oid
}

func (sc *scene) hasLarge(content string) bool {
	sc.t.Helper()
	_, oid := large(content)
	there, err := code.LFSObjects(sc.t.Context(), sc.s.Store, sc.project.ID, []string{oid})
	require.NoError(sc.t, err)
	return len(there) == 1
}

// TestPullFromHewd: a project can follow one of a hewd, whose large files come along: those of all
// branches at first, then those of new commits.
func TestPullFromHewd(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "fromhewd")
	from := sc.project
	store := func(content string) {
		_, oid := large(content)
		require.NoError(t, code.StoreLFSObject(t.Context(), sc.s.Store, from.ID, oid, int64(len(content)),
			strings.NewReader(content)))
		pointer, _ := large(content)
		sc.work.Commit(content[:3]+".bin", pointer)
	}
	first, second := strings.Repeat("0123456789abcdef", 1<<17), "second large file"
	store(first)
	sc.push("main")
	sc.project = sc.create(map[string]any{
		"name": "followed", "mirror": true, "import_url": sc.address(from.Path),
	})
	sc.s.Drain(t)
	require.False(t, sc.hasLarge(first), "an import brings no large files")
	sc.sweep(2 * time.Minute)
	require.Equal(t, "finished", sc.pulled().Status, sc.pulled().error())
	require.True(t, sc.hasLarge(first))

	sc.work.Git("checkout", "-q", "-b", "topic")
	store(second)
	sc.push("topic")
	sc.sweep(31 * time.Minute)
	now := sc.pulled()
	require.Equal(t, "finished", now.Status, now.error())
	require.Empty(t, now.error())
	require.True(t, sc.hasLarge(second))
	require.Equal(t, "false", sc.column("pull_mirrors", "lfs_due", now.ID))
}

// TestPullLFSFaults: large files that do not come do not end the pull. They are asked for again,
// unless the host does not have them.
func TestPullLFSFaults(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "lfsfaults")
	up, _ := sc.upstream("up.git")
	pointer, oid := large("large")
	up.Commit("a.bin", pointer)
	up.Git("push", "-q", "origin", "main")
	var answer atomic.Value // of the batch
	answer.Store("503")
	git, err := url.Parse(sc.url)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(git)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		object := map[string]any{"oid": oid, "size": 5}
		switch say := answer.Load().(string); {
		case strings.HasPrefix(r.URL.Path, "/content/"):
			_, _ = io.WriteString(w, strings.TrimPrefix(r.URL.Path, "/content/"))
			return
		case !strings.HasSuffix(r.URL.Path, "/info/lfs/objects/batch"):
			proxy.ServeHTTP(w, r)
			return
		case say == "503":
			http.Error(w, "", http.StatusServiceUnavailable)
			return
		case say == "missing":
			object["error"] = map[string]any{"code": 404, "message": "Object does not exist"}
		default:
			object["actions"] = map[string]any{"download": map[string]any{"href": "http://" + r.Host + say}}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"objects": []any{object}})
	}))
	t.Cleanup(host.Close)
	sc.change(map[string]any{"mirror": true, "import_url": host.URL + "/up.git"})
	for i, test := range []struct{ answer, note, due string }{
		{"503", "The files of Git LFS have not been updated: the host answers a request of Git LFS with status 503", "true"},
		{"/content/wrong", "1 files of Git LFS have not been updated: the host sends other content than the commit names",
			"true"},
		{"/content/large", "", "false"},
	} {
		answer.Store(test.answer)
		if i > 0 {
			sc.sweep(31 * time.Minute)
		}
		now := sc.pulled()
		require.Equal(t, "finished", now.Status)
		require.Contains(t, now.error(), test.note)
		require.Equal(t, test.note == "", now.error() == "", now.error())
		require.Equal(t, test.due, sc.column("pull_mirrors", "lfs_due", now.ID))
	}
	require.True(t, sc.hasLarge("large"))
	require.Contains(t, sc.ours(), "refs/heads/main")

	pointer, oid = large("gone")
	up.Commit("b.bin", pointer)
	up.Git("push", "-q", "origin", "main")
	answer.Store("missing")
	sc.sweep(31 * time.Minute)
	now := sc.pulled()
	require.Equal(t, "1 files of Git LFS have not been updated: "+
		"the host refuses the object: Object does not exist (404)", now.error())
	require.Equal(t, "false", sc.column("pull_mirrors", "lfs_due", now.ID))
}

// TestPullBySSH: a mirror without a password has a key of its own, keeps the host key that it met,
// and accepts no other until a user allows it.
func TestPullBySSH(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "pullshell")
	up, bare := sc.upstream("up.git")
	host := gittest.ServeSSH(t, sc.dir)
	was := host.ChangeKey(t)
	sc.project = sc.create(map[string]any{
		"name": "followed", "mirror": true, "import_url": fmt.Sprintf("ssh://git@%s/up.git", host.Address),
	})
	now := sc.pulled()
	require.Equal(t, "failed", now.Status)
	require.Equal(t, "127.0.0.1 does not accept the SSH key of the mirror; add its public key there", now.error())
	var key struct {
		Line string `json:"public_key"`
	}
	sc.do("GET", "/mirror/pull/public_key", nil).Into(t, &key)
	require.Regexp(t, `^ssh-ed25519 \S+$`, key.Line)
	host.Admit(t, key.Line)
	sc.sweep(61 * time.Minute)
	now = sc.pulled()
	require.Equal(t, "finished", now.Status, now.error())
	require.Equal(t, theirs(bare), sc.ours())
	require.Len(t, now.HostKeys, 1)
	require.Equal(t, was, now.HostKeys[0].Fingerprint)

	other := host.ChangeKey(t)
	up.Commit("more", "more\n")
	up.Git("push", "-q", "origin", "main")
	sc.sweep(31 * time.Minute)
	now = sc.pulled()
	require.Equal(t, "the host key of 127.0.0.1 is not one of host_keys: its fingerprint is "+other, now.error())
	require.Equal(t, 200, sc.do("PUT", "/mirror/pull", map[string]any{"host_keys": []string{}}).Status)
	sc.sweep(61 * time.Minute)
	now = sc.pulled()
	require.Equal(t, "finished", now.Status, now.error())
	require.Equal(t, theirs(bare), sc.ours())
	require.Equal(t, other, now.HostKeys[0].Fingerprint)
}
