package code_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/servertest"
)

// Copies vanish while requests need them, and come again.
func TestEvictionWhileServing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "evictalice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "evicted", "visibility": "private"}).Into(t, &p)
	base := fmt.Sprintf("/projects/%d/repository/", p.ID)
	commit := func(action, content string) {
		reply := s.Do(t, alice.Token, "POST", base+"commits", map[string]any{
			"branch": "main", "commit_message": "Change", "actions": []any{
				map[string]any{"action": action, "file_path": "a", "content": content},
			},
		})
		require.Equal(t, 201, reply.Status, string(reply.Body))
	}
	commit("create", "a\n")
	blame := func() {
		reply := s.Do(t, alice.Token, "GET", base+"files/a/blame?ref=main", nil)
		assert.Equal(t, 200, reply.Status, string(reply.Body)) // also in other goroutines
		assert.Contains(t, string(reply.Body), `"lines":["`)
	}
	blame()
	require.Positive(t, code.CopiedBytes(s.Store))
	require.NoError(t, code.EvictAll(s.Store))
	require.Zero(t, code.CopiedBytes(s.Store))

	kept, err := code.Forget(s.Store, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.Positive(t, kept)
	kept, err = code.Forget(s.Store, time.Now().Add(time.Hour))
	require.NoError(t, err)
	require.Zero(t, kept)

	ctx, end := context.WithCancel(t.Context())
	var done sync.WaitGroup
	defer done.Wait()
	defer end()
	for range 2 {
		done.Go(func() {
			for ctx.Err() == nil {
				blame()
			}
		})
	}
	for i, evicted := 0, 0; evicted < 5; i++ {
		require.Less(t, i, 1000, "no copy vanishes while requests run")
		commit("update", fmt.Sprint(i, "\n"))
		before := code.CopiedBytes(s.Store)
		require.NoError(t, code.EvictAll(s.Store))
		if code.CopiedBytes(s.Store) < before {
			evicted++
		}
		_, err := code.Forget(s.Store, time.Now().Add(time.Hour))
		require.NoError(t, err)
	}
}
