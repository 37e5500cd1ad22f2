package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/setting"
)

type made struct {
	ID   int64  `json:"id"`
	Path string `json:"path_with_namespace"`
}

// Two who change different things at once both get their way.
func TestProjectChangesDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "overwriter")
	var p made
	s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": "both"}).Into(t, &p)
	at := fmt.Sprintf("/projects/%d", p.ID)

	changes := []map[string]any{
		{"description": "new"}, {"lfs_enabled": false}, {"merge_method": "ff"}, {"topics": []string{"a"}},
		{"visibility": "public"}, {"name": "other"}, {"wiki_access_level": "disabled"}, {"build_timeout": 7200},
	}
	replies := make([]servertest.Reply, len(changes))
	var wg sync.WaitGroup
	for i, change := range changes {
		wg.Go(func() { replies[i] = s.Do(t, user.Token, "PUT", at, change) })
	}
	wg.Wait()
	for _, r := range replies {
		require.Equal(t, http.StatusOK, r.Status, string(r.Body))
	}
	var after map[string]any
	s.Do(t, user.Token, "GET", at, nil).Into(t, &after)
	want := map[string]any{
		"description": "new", "lfs_enabled": false, "merge_method": "ff", "topics": []any{"a"}, "visibility": "public",
		"name": "other", "wiki_access_level": "disabled", "build_timeout": 7200.0,
	}
	for field, value := range want {
		require.Equal(t, value, after[field], field)
	}
}

// While the instance keeps nothing, a deleted project is gone as soon as the job has run.
func TestProjectDeletionAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	require.NoError(t, setting.Set(t.Context(), s.Store, "deletion_adjourned_period", 0))
	var p made
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "brief"}).Into(t, &p)
	at := fmt.Sprintf("/projects/%d", p.ID)
	require.Equal(t, http.StatusAccepted, s.Do(t, s.RootToken, "DELETE", at, nil).Status)
	s.Drain(t)
	require.Equal(t, http.StatusNotFound, s.Do(t, s.RootToken, "GET", at, nil).Status)
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "brief"}).Into(t, &p) // its name is free again
}

// A user has personal projects up to the limit, and an external one has none.
func TestPersonalProjectLimit(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "limited")
	admin := fmt.Sprintf("/users/%d", user.ID)
	s.Do(t, s.RootToken, "PUT", admin, map[string]any{"projects_limit": 1})
	create := func(name string) servertest.Reply {
		return s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": name})
	}
	require.Equal(t, http.StatusCreated, create("one").Status)
	refused := create("two")
	require.Equal(t, http.StatusForbidden, refused.Status)
	require.Contains(t, string(refused.Body), "reached your limit of 1 projects")

	s.Do(t, s.RootToken, "PUT", admin, map[string]any{"projects_limit": 9, "external": true})
	require.Equal(t, http.StatusForbidden, create("three").Status)
}

// The limit of personal projects is kept by all who create one at once.
func TestPersonalProjectLimitAtOnce(t *testing.T) {
	t.Parallel()
	const limit, contenders = 3, 8
	s := servertest.Start(t)
	user := s.User(t, "limited-at-once")
	s.Do(t, s.RootToken, "PUT", fmt.Sprintf("/users/%d", user.ID), map[string]any{"projects_limit": limit})
	var all sync.WaitGroup
	statuses := make([]int, contenders)
	for i := range contenders {
		all.Go(func() {
			statuses[i] = s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": fmt.Sprint("p", i)}).Status
		})
	}
	all.Wait()
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	require.Equal(t, map[int]int{http.StatusCreated: limit, http.StatusForbidden: contenders - limit}, counts)
}
