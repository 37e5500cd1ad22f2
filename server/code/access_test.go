package code_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/gittest"
	"hew/server/git/object"
)

// A user who loses access before the refs are locked changes nothing, by a push or by the API.
func TestAccessIsCheckedUnderTheLock(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "first", "1")
	s.commit("old", "main", "second", "2")
	w := gittest.New(t)
	tree := w.Write(object.KindTree, "").String()
	w.Git("", "update-ref", "refs/heads/pushed", w.Lines("commit-tree", "-m", "x", tree)[0])
	refs := func() []string {
		names, err := db.Values[string](t.Context(), s.Store, `select name from refs order by name`, nil)
		require.NoError(t, err)
		return names
	}
	before := refs()
	for name, act := range map[string]func(ctx context.Context, st *db.Store) error{
		"create a branch": func(ctx context.Context, st *db.Store) error {
			_, err := code.CreateBranch(ctx, st, s.project, s.by, "new", "main")
			return err
		},
		"delete a branch": func(ctx context.Context, st *db.Store) error {
			return code.DeleteBranch(ctx, st, s.project, s.by, "old", anyTime)
		},
		"create a tag": func(ctx context.Context, st *db.Store) error {
			_, err := code.CreateTag(ctx, st, s.project, s.by, code.NewTag{Name: "v1", Revision: "main"})
			return err
		},
	} {
		st := s.Store.Lend()
		st.OnLock(func(context.Context, *db.Store) error { return fault.Forbidden("gone") })
		require.Equal(t, fault.CodeForbidden, fault.CodeOf(act(t.Context(), st)), name)
	}

	st := s.Store.Lend()
	st.OnLock(func(context.Context, *db.Store) error { return fault.Forbidden("gone") })
	report, err := s.tryPush(st, w, "refs/heads/pushed")
	require.NoError(t, err, "a refusal is no failure of the server")
	require.Contains(t, report, "ng refs/heads/pushed you are no longer allowed to push to this repository")
	require.Equal(t, before, refs())

	require.Contains(t, s.push(w, "refs/heads/pushed"), "ok refs/heads/pushed")
}
