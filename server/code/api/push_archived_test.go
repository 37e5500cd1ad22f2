package api_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A project that is archived during the upload of a push is not changed by it.
func TestPushWhileArchived(t *testing.T) {
	t.Parallel()
	h := newHost(t, "pusharchived")
	w := h.begin()
	w.Commit("a", "1")
	id := strings.TrimSpace(w.Git("rev-parse", "HEAD"))
	packed := w.Git("pack-objects", "-q", "--revs", "--all", "packed")
	data, err := os.ReadFile(filepath.Join(w.Dir, "packed-"+strings.TrimSpace(packed)+".pack"))
	require.NoError(t, err)
	body, client := io.Pipe()
	go func() {
		command := strings.Repeat("0", 40) + " " + id + " refs/heads/late\x00report-status side-band-64k"
		_, _ = io.WriteString(client, line(command)+"0000")
		_, _ = client.Write(data[:20])
		h.s.Do(t, h.user.Token, "POST", fmt.Sprintf("/projects/%d/archive", h.project.ID), nil)
		_, _ = client.Write(data[20:])
		_ = client.Close()
	}()
	r, err := http.NewRequestWithContext(t.Context(), "POST", h.address(h.user.Token)+"/git-receive-pack", body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-git-receive-pack-request")
	r.Header.Set("Expect", "100-continue") // nothing is sent before the server has admitted the push
	polite := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	defer polite.CloseIdleConnections()
	reply, err := polite.Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	require.NoError(t, reply.Body.Close())
	require.Contains(t, string(text), "GitLab: You cannot push to "+h.project.Path+": the project is archived.")
	require.NotContains(t, w.Git("ls-remote", "origin"), "refs/heads/late")
}
