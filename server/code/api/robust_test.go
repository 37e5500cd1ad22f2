package api_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
)

// Two processes serve one database. Each sees at once what came in by the other, and a push by
// either is a push to both.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	h := newHost(t, "twoservers")
	w := h.begin()
	second := h
	second.s = h.s.Beside(t)
	there := second.clone()
	for i := range 3 {
		w.Commit("a", fmt.Sprint(i))
		w.Git("push", "-q", "origin", "main")
		there.Git("pull", "-q")
		require.Equal(t, w.Git("rev-parse", "HEAD"), there.Git("rev-parse", "HEAD"))
		reply := second.api("PUT", "files/a", map[string]any{
			"branch": "main", "commit_message": "There", "content": fmt.Sprint("there ", i),
		})
		require.Equal(t, 200, reply.Status, string(reply.Body))
		reply = h.api("GET", "files/a/raw?ref=main", nil)
		require.Equal(t, fmt.Sprint("there ", i), string(reply.Body))
		w.Git("pull", "-q", "origin", "main")
	}
	h.clone("--mirror").Git("fsck", "--strict")
}

// The copies on disk can be deleted while hewd serves.
func TestCopiesVanish(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	h := host{t: t, s: servertest.FreshWith(t, server.Config{CacheDir: cache})}
	h.user = h.s.User(t, "vanish")
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &h.project)
	w := h.begin()
	var names strings.Builder
	for i := range 150 { // enough for a pack of its own
		w.Write(fmt.Sprint("many/", i), fmt.Sprint(i))
		fmt.Fprintln(&names, i)
	}
	w.Commit("names", names.String())
	w.Git("push", "-q", "origin", "main")
	remove := func(pattern string) {
		files, err := filepath.Glob(filepath.Join(cache, "repositories-*", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, f := range files {
			require.NoError(t, os.RemoveAll(f))
		}
	}
	for _, pattern := range []string{"*", "*/objects/pack/*.pack", "*/HEAD"} {
		remove(pattern)
		h.clone().Git("fsck", "--strict")
		require.Equal(t, 200, h.api("GET", "files/names?ref=main", nil).Status, pattern)
		w.Commit("names", pattern)
		w.Git("push", "-q", "origin", "main")
	}
}

// A client that goes away in the middle of a push leaves neither refs nor files. It gets an answer,
// which is a report if its commands are complete.
func TestClientGone(t *testing.T) {
	t.Parallel()
	h, cache := hostWithCache(t)
	w := h.begin()
	head := strings.TrimSpace(w.Git("rev-parse", "HEAD"))
	create := line(strings.Repeat("0", 40) + " " + head + " refs/heads/x\x00report-status")
	pack := "0000PACK\x00\x00\x00\x02\x00\x00\x00\x05"
	const bad = "400 The request is not one of git's protocol: read push: "
	for body, want := range map[string]string{
		"":            bad + "unexpected EOF\n",
		"00":          bad + "unexpected EOF\n",
		"zzzz":        bad + "\"zzzz\" is not the length of a pkt-line: want four hexadecimal digits\n",
		"0000":        "200 ", // asks whether it may push
		create:        bad + "unexpected EOF\n",
		create + pack: "200 " + line("unpack early EOF\n") + line("ng refs/heads/x unpacker error\n") + "0000",

		line("not a command") + "0000": bad + "\"not\" is not an object id: want 40 hexadecimal digits\n",
		line("push-cert\x00push-cert") + "0000": bad +
			"signed pushes are not supported: push without --signed\n",
	} {
		reply, err := http.Post(h.address(h.user.Token)+"/git-receive-pack", "application/x-git-receive-pack-request",
			strings.NewReader(body))
		require.NoError(t, err)
		text, err := io.ReadAll(reply.Body)
		require.NoError(t, errors.Join(err, reply.Body.Close()))
		require.Equal(t, want, fmt.Sprint(reply.StatusCode, " ", string(text)), "%q", body)
	}
	require.NotContains(t, w.Git("ls-remote", "origin"), "refs/heads/x")
	left, err := filepath.Glob(filepath.Join(cache, "repositories-*", "*", "incoming-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	w.Git("push", "-q", "origin", "main:after")
}

func line(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }
