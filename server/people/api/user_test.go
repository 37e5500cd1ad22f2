package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/secret"
	"hew/server/servertest"
	"hew/server/tree"
)

// A user with a random password has no password digest until one is set.
func TestUserWithoutPassword(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	u, err := tree.FindUser(t.Context(), s.Store, s.User(t, "no-password").ID)
	require.NoError(t, err)
	require.Empty(t, u.PasswordDigest)
	s.Do(t, s.RootToken, "PUT", fmt.Sprintf("/users/%d", u.ID), map[string]any{"password": "correct horse"}).Into(
		t, &struct{}{},
	)
	u, err = tree.FindUser(t.Context(), s.Store, u.ID)
	require.NoError(t, err)
	require.True(t, secret.CheckPassword(u.PasswordDigest, "correct horse"))
}

// A user who is blocked and loses a right while the name is changed stays blocked, and without
// the right.
func TestUserChangesDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for i := range 10 {
		u := s.User(t, fmt.Sprintf("changed-%d", i))
		at := fmt.Sprintf("/users/%d", u.ID)
		require.Equal(t, http.StatusOK, s.Do(t, s.RootToken, "PUT", at, map[string]any{"admin": true}).Status)
		statuses := make([]int, 4)
		var wait sync.WaitGroup
		wait.Go(func() { statuses[0] = s.Do(t, s.RootToken, "PUT", at, map[string]any{"name": "Changed"}).Status })
		wait.Go(func() { statuses[1] = s.Do(t, s.RootToken, "POST", at+"/block", nil).Status })
		wait.Go(func() { statuses[2] = s.Do(t, s.RootToken, "PUT", at, map[string]any{"admin": false}).Status })
		wait.Go(func() { statuses[3] = s.Do(t, s.RootToken, "PUT", at, map[string]any{"note": "odd"}).Status })
		wait.Wait()
		require.Equal(t, []int{200, 201, 200, 200}, statuses)
		after, err := tree.FindUser(t.Context(), s.Store, u.ID)
		require.NoError(t, err)
		require.Equal(t, "blocked Changed odd false",
			fmt.Sprint(after.State, " ", after.Name, " ", *after.Note, " ", after.Admin))
	}
}
