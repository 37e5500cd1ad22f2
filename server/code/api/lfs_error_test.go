package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLFSErrors: git-lfs gets every refusal as JSON of its protocol, also those of guards and of
// tokens, with a place to read on and the id that the log has.
func TestLFSErrors(t *testing.T) {
	t.Parallel()
	h := newHost(t, "lfserrors")
	stranger := h.s.User(t, "lfsstranger")
	const batch = "/info/lfs/objects/batch"
	for _, tt := range []struct {
		token, method, path, body string
		status                    int
		message                   string
	}{
		{"", "POST", batch, `{}`, 401, "401 Unauthorized"},
		{"glpat-unknown", "POST", batch, `{}`, 401, "401 Unauthorized"},
		{stranger.Token, "POST", batch, `{}`, 404, "Project not found, or the token may not see it."},
		{h.user.Token, "POST", batch, `{`, 400, "The body is not the JSON of a batch."},
		{h.user.Token, "POST", batch, `{"operation":"move"}`, 422, "The operation is neither upload nor download."},
		{h.user.Token, "POST", batch, `{"operation":"upload"}`, 404, "Not found."},
		{h.user.Token, "POST", "/info/lfs/locks", `{"path":"a"}`, 201, ""},
		{h.user.Token, "POST", "/info/lfs/locks", `{"path":"a"}`, 409, "already locked"},
		{h.user.Token, "POST", "/info/lfs/locks/0/unlock", `{}`, 404, "Lock not found"},
		{h.user.Token, "GET", "/info/lfs/objects", ``, 501, "This server has the batch API only. Update git-lfs."},
		{h.user.Token, "POST", "/info/lfs/objects", `{}`, 501, "This server has the batch API only. Update git-lfs."},
	} {
		address := h.address(tt.token)
		if tt.token == "" {
			address = strings.Replace(address, "any:@", "", 1)
		}
		r, err := http.NewRequestWithContext(t.Context(), tt.method, address+tt.path, strings.NewReader(tt.body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/vnd.git-lfs+json")
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		text, err := io.ReadAll(reply.Body)
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		about := fmt.Sprintf("%s %s %s: %s", tt.method, tt.path, tt.body, text)
		require.Equal(t, tt.status, reply.StatusCode, about)
		require.Equal(t, "application/vnd.git-lfs+json", reply.Header.Get("Content-Type"), about)
		if tt.message == "" {
			continue
		}
		var got struct {
			Message   string `json:"message"`
			Docs      string `json:"documentation_url"`
			RequestID string `json:"request_id"`
		}
		require.NoError(t, json.Unmarshal(text, &got), about)
		require.Equal(t, tt.message, got.Message)
		require.True(t, strings.HasPrefix(got.Docs, "https://"), about)
		require.Equal(t, reply.Header.Get("X-Request-Id"), got.RequestID, about)
		require.Equal(t, tt.status == 401, reply.Header.Get("WWW-Authenticate") != "", about)
	}
}
