package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// Labels and milestones are deleted only if they have not changed since the client saw them.
func TestUnmodifiedLabelsAndMilestones(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "labels-unmodified")
	var g servertest.Made
	s.Do(t, user.Token, "POST", "/groups",
		map[string]any{"name": "labels-unmodified", "path": "labels-unmodified-group"}).Into(t, &g)
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

// A caller who loses access while a request waits for a lock is refused, although the guard had
// admitted the request.
func TestAccessIsReadAgainUnderTheLock(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ctx := t.Context()
	owner, leaver := s.User(t, "owner"), s.User(t, "leaver")
	var g, l servertest.Made
	s.Do(t, owner.Token, "POST", "/groups", map[string]any{"name": "g", "path": "g"}).Into(t, &g)
	path := fmt.Sprintf("/groups/%d", g.ID)
	s.Do(t, owner.Token, "POST", path+"/labels", map[string]any{"name": "bug", "color": "red"}).Into(t, &l)
	s.Do(t, owner.Token, "POST", path+"/members", map[string]any{"user_id": leaver.ID, "access_level": 20}).Into(
		t, &servertest.Made{},
	)

	tx, finish, err := s.Store.Begin(ctx)
	require.NoError(t, err)
	require.NoError(t, tx.Exec(ctx, `select from labels where id = @id for update`, pgx.NamedArgs{"id": l.ID}))
	status := make(chan int, 1)
	go func() {
		status <- s.Do(t, leaver.Token, "PUT", fmt.Sprintf("%s/labels/%d", path, l.ID),
			map[string]any{"color": "blue"}).Status
	}()
	servertest.AwaitLock(t, s.Store)
	require.NoError(t, tx.Exec(ctx, `delete from members where user_id = @id`, pgx.NamedArgs{"id": leaver.ID}))
	require.NoError(t, finish(nil))
	require.Equal(t, http.StatusNotFound, <-status, "the group is private")
}
