package api_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// git-lfs uploads large files beside git, downloads them with a clone, and locks paths.
func TestLFSClient(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Skip("git-lfs is not installed (apt-get install git-lfs)")
	}
	h := newHost(t, "lfsclient")
	w := h.begin()
	w.Git("lfs", "install", "--local")
	w.Git("lfs", "track", "*.bin")
	content := strings.Repeat("0123456789abcdef", 1<<17) // 2 MiB
	w.Write("large.bin", content)
	w.Write("other.bin", "small")
	w.Commit(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	w.Git("push", "-q", "origin", "main")

	c := h.clone("-c", "filter.lfs.smudge=git-lfs smudge -- %f", "-c", "filter.lfs.process=git-lfs filter-process",
		"-c", "filter.lfs.required=true")
	got, err := os.ReadFile(filepath.Join(c.Dir, "large.bin"))
	require.NoError(t, err)
	require.Equal(t, content, string(got))
	require.Contains(t, string(h.api("GET", "files/large.bin/raw?ref=main", nil).Body), "version https://git-lfs")

	w.Git("lfs", "lock", "large.bin")
	require.Contains(t, w.Git("lfs", "locks"), "large.bin")
	require.Contains(t, w.Refused("lfs", "lock", "large.bin"), "already")
	w.Git("push", "-q", "origin", "main:verified")
	w.Git("lfs", "unlock", "large.bin")
	require.NotContains(t, w.Git("lfs", "locks"), "large.bin")
}

// A file that is a pointer is sent as such, or on request as what it stands for.
func TestLFSContent(t *testing.T) {
	t.Parallel()
	h := newHost(t, "lfscontent")
	content := strings.Repeat("0123456789abcdef", 1<<17) // 2 MiB
	oid := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	pointer := func(oid string) string {
		return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, len(content))
	}
	w := h.begin()
	w.Write("large.bin", pointer(oid))
	w.Write("lost.bin", pointer(strings.Repeat("0", 64)))
	require.NoError(t, os.Symlink("README.md", filepath.Join(w.Dir, "link")))
	w.Commit("run", "#!/bin/sh\n")
	w.Git("update-index", "--chmod=+x", "run")
	w.Git("commit", "-q", "-m", "Make it executable")
	w.Git("push", "-q", "origin", "main")
	raw := func(path string) servertest.Reply { return h.api("GET", "files/"+path+"&ref=main", nil) }
	require.Equal(t, 404, raw("large.bin/raw?lfs=true").Status, "nobody has uploaded it")
	plain := h.api("GET", "archive.tar", nil)

	r, err := http.NewRequestWithContext(t.Context(), "PUT",
		fmt.Sprintf("%s/gitlab-lfs/objects/%s/%d", h.address(h.user.Token), oid, len(content)),
		strings.NewReader(content))
	require.NoError(t, err)
	reply, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, reply.Body.Close())
	require.Equal(t, 200, reply.StatusCode)

	sent := raw("large.bin/raw?lfs=true")
	require.Equal(t, content, string(sent.Body))
	require.Equal(t, "large.bin", sent.Header.Get("X-Gitlab-File-Name"))
	require.Equal(t, pointer(oid), string(raw("large.bin/raw?lfs=false").Body))
	require.Equal(t, "# Site\n", string(raw("README.md/raw?lfs=true").Body))
	missing := raw("lost.bin/raw?lfs=true")
	require.Equal(t, 404, missing.Status)
	require.JSONEq(t, `{"message": "404 LFS object of the file Not Found"}`, string(missing.Body))

	for _, format := range []string{"tar.gz", "zip", "tar", "tar.bz2"} {
		archive := h.api("GET", "archive."+format, nil)
		require.Equal(t, 200, archive.Status)
		files := contentsIn(t, format, archive.Body)
		require.Equal(t, content, files["large.bin"], format)
		require.Equal(t, pointer(strings.Repeat("0", 64)), files["lost.bin"])
		require.Equal(t, []string{"# Site\n", "-> README.md", "*#!/bin/sh\n"},
			[]string{files["README.md"], files["link"], files["run"]}, format)
		require.Len(t, files, 5)
	}
	require.Equal(t, string(plain.Body), string(h.api("GET", "archive.tar?include_lfs_blobs=false", nil).Body))
}

func TestLFSRefusals(t *testing.T) {
	t.Parallel()
	h := newHost(t, "lfsrefusals")
	oid := fmt.Sprintf("%x", sha256.Sum256([]byte("hello")))
	put := func(path, body string) int {
		r, err := http.NewRequestWithContext(t.Context(), "PUT", h.address(h.user.Token)+"/gitlab-lfs/objects/"+path,
			strings.NewReader(body))
		require.NoError(t, err)
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		return reply.StatusCode
	}
	require.Equal(t, 400, put(oid+"/5", "jello"), "another content")
	require.Equal(t, 400, put(oid+"/4", "hello"), "another size")
	require.Equal(t, 400, put(oid+"/6", "hello"), "another size")
	require.Equal(t, 200, put(oid+"/5", "hello"))
	require.Equal(t, 200, put(oid+"/5", "hello"), "once more")
	get := func(path string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), "GET", h.address(h.user.Token)+path, nil)
		require.NoError(t, err)
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		require.NoError(t, err)
		return reply.StatusCode, string(text)
	}
	status, text := get("/gitlab-lfs/objects/" + oid)
	require.Equal(t, 200, status)
	require.Equal(t, "hello", text)
	status, _ = get("/gitlab-lfs/objects/" + strings.Repeat("0", 64))
	require.Equal(t, 404, status)
}
