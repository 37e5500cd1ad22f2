package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGarbage: what is not git's protocol is answered in words, and the connection lives on.
func TestGarbage(t *testing.T) {
	t.Parallel()
	h := newHost(t, "garbage")
	post := func(service, version, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", h.address(h.user.Token)+"/"+service,
			strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Git-Protocol", version)
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		require.NoError(t, err)
		return reply.StatusCode, string(text)
	}
	const prefix = "The request is not one of git's protocol: "
	want := "0032want " + strings.Repeat("1", 40) + "\n"
	status, text := post("git-upload-pack", "", want+"00000009done\n")
	require.Equal(t, 400, status)
	require.Equal(t, prefix+"it asks for objects, and the repository is empty\n", text)
	h.begin()
	for _, tt := range []struct{ service, version, body, want string }{
		{"git-upload-pack", "", "hello world", `"hell" is not the length of a pkt-line: want four hexadecimal digits`},
		{"git-upload-pack", "", "ffff", "a pkt-line has length 65535: want 4 to 65520"},
		{"git-upload-pack", "", "000ahello\n0000", "git upload-pack: protocol error, expected to get object ID, not 'hello'"},
		{"git-upload-pack", "version=2", "000ahello\n0000", `read request: it begins with "hello": want command=`},
		{"git-upload-pack", "version=2", "0014command=destroy\n0000", ""},
		{"git-receive-pack", "", "hello world", `read push: "hell" is not the length of a pkt-line: ` +
			"want four hexadecimal digits"},
		{"git-receive-pack", "", "000ahello\n0000", `read push: "hello" is not a command: want old id, new id and ref`},
	} {
		status, text := post(tt.service, tt.version, tt.body)
		require.Equal(t, 400, status, "%s: %s", tt.body, text)
		require.Contains(t, text, prefix)
		require.Contains(t, text, strings.TrimPrefix(tt.want, "git upload-pack: "), tt.body)
	}
}

// TestTooLargeBody: the limit of a body is said, and what to do.
func TestTooLargeBody(t *testing.T) {
	t.Parallel()
	h := newHost(t, "toolarge")
	large := string(bytes.Repeat([]byte("x"), 64<<20))
	for _, tt := range []struct {
		path string
		body map[string]any
	}{
		{"files/a", map[string]any{"branch": "main", "commit_message": "x", "content": large}},
		{"commits", map[string]any{"branch": "main", "commit_message": large, "actions": []any{}}},
	} {
		reply := h.api("POST", tt.path, tt.body)
		require.Equal(t, 413, reply.Status)
		require.JSONEq(t, `{"message": "413 Request Entity Too Large - `+
			`the body of this request may have at most 64 MiB; `+
			`make several commits of it, or commit larger files with git and push them"}`, string(reply.Body))
	}
}

// TestPushToMarked: a project that is marked for deletion says so.
func TestPushToMarked(t *testing.T) {
	t.Parallel()
	h := newHost(t, "pushtomarked")
	w := h.begin()
	require.Equal(t, 202, h.s.Do(t, h.user.Token, "DELETE", fmt.Sprintf("/projects/%d", h.project.ID), nil).Status)
	w.Commit("a", "a")
	require.Contains(t, w.Refused("push", "origin", "main"),
		"You cannot push to "+h.project.Path+": it is marked for deletion. Restore it first.")
	w.Git("fetch", "-q", "origin")
}
