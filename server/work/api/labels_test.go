package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// What labels and milestones are deleted by heeds what the client has seen of them.
func TestUnmodifiedLabelsAndMilestones(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "labels-unmodified")
	var g servertest.Made
	s.Do(t, user.Token, "POST", "/groups", map[string]any{"name": "labels-unmodified", "path": "labels-unmodified-group"}).Into(t, &g)
	for _, c := range []struct {
		path string
		body map[string]any
	}{
		{"labels", map[string]any{"name": "bug", "color": "red"}},
		{"milestones", map[string]any{"title": "1.0"}},
	} {
		var thing servertest.Made
		path := fmt.Sprintf("/groups/%d/%s", g.ID, c.path)
		s.Do(t, user.Token, "POST", path, c.body).Into(t, &thing)
		path += fmt.Sprintf("/%d", thing.ID)
		r, err := http.NewRequestWithContext(t.Context(), "DELETE", s.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set("PRIVATE-TOKEN", user.Token)
		r.Header.Set("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusPreconditionFailed, resp.StatusCode, path)
		require.Equal(t, 204, s.Do(t, user.Token, "DELETE", path, nil).Status, path)
	}
}
