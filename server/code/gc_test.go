package code_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/servertest"
)

// grace is how long garbage is kept, as jobs do it.
const grace = 14 * 24 * time.Hour

// deleteBranch removes a branch.
func (s scene) deleteBranch(name string) {
	s.t.Helper()
	require.NoError(s.t, code.DeleteBranch(s.t.Context(), s.Store, s.project, s.by, name, anyTime))
}

func (s scene) collect(grace time.Duration) {
	s.t.Helper()
	require.NoError(s.t, code.Collect(s.t.Context(), s.Store, s.open().ID, grace))
}

// age makes garbage of the repository older.
func (s scene) age(by time.Duration) {
	s.t.Helper()
	require.NoError(s.t, s.Exec(s.t.Context(), `
		update repository_packs set unreachable_since = unreachable_since - @by::interval`, map[string]any{"by": by}))
}

// requireObject checks that an object is there, or is not.
func (s scene) requireObject(there bool, id object.ID) {
	s.t.Helper()
	_, err := s.open().Object(s.t.Context(), id)
	if there {
		require.NoError(s.t, err)
		return
	}
	require.ErrorIs(s.t, err, object.ErrNotFound)
}

func (s scene) count(table string) int {
	s.t.Helper()
	n, err := db.Value[int](s.t.Context(), s.Store, `select count(*) from `+table, nil)
	require.NoError(s.t, err)
	return n
}

// The objects of a deleted branch are kept for two weeks after they were found unreachable. Then
// they are gone from rows, from disk and from memory.
func TestCollect(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("main", "", "first", "1")
	secret := s.commit("secret", "main", "password", "hunter2")
	blob := object.Hash(object.KindBlob, []byte("hunter2"))
	s.deleteBranch("secret")

	s.collect(grace)
	require.Zero(t, s.count("loose_objects"))
	require.Equal(t, 2, s.count("repository_packs"))
	s.requireObject(true, blob)
	s.collect(grace)
	s.requireObject(true, secret.ID)

	s.age(grace + time.Hour)
	reader := s.open()
	s.collect(grace)
	require.Equal(t, 1, s.count("repository_packs"))
	require.Equal(t, 1, s.count("packs"))
	require.Equal(t, 1, s.count("commits"))
	require.Equal(t, 1, s.count("commit_paths"))
	for _, id := range []object.ID{blob, secret.ID, secret.Tree} {
		s.requireObject(false, id)
	}
	h, err := s.open().History(t.Context())
	require.NoError(t, err)
	require.False(t, h.Has(secret.ID))
	require.True(t, h.Has(first.ID))
	_, err = reader.Object(t.Context(), first.Tree)
	require.NoError(t, err, "a request that began before goes on")
	s.commit("secret", "main", "password", "hunter2")
	s.requireObject(true, blob)
}

// Objects that begin to be used while garbage is collected stay: by a ref, by a commit that starts
// at one, and by one that is gone again.
func TestCollectWhileUsed(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(s scene, gone code.Commit){
		"branch": func(s scene, gone code.Commit) {
			_, err := code.CreateBranch(t.Context(), s.Store, s.project, s.by, "again", gone.ID.String())
			require.NoError(t, err)
		},
		"pick": func(s scene, gone code.Commit) {
			_, err := code.PickCommit(t.Context(), s.Store, code.Pick{
				Project: s.project, By: s.by, Branch: "main", Commit: gone.ID,
			})
			require.NoError(t, err)
		},
		"start": func(s scene, gone code.Commit) {
			text := "more"
			_, err := code.CreateCommit(t.Context(), s.Store, code.NewCommit{
				Project: s.project, By: s.by, Branch: "again", StartCommit: gone.ID.String(), Message: "Go on",
				Actions: []code.Action{{Do: "create", Path: "more", Content: &text}},
			})
			require.NoError(t, err)
			s.deleteBranch("again")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.commit("main", "", "first", "1")
			gone := s.commit("work", "main", "second", "2")
			s.deleteBranch("work")
			times := 0
			code.BeforeExchange(s.Store, func() {
				if times++; times == 1 {
					use(s, gone)
				}
			})
			s.collect(0)
			if name != "start" {
				s.requireObject(true, object.Hash(object.KindBlob, []byte("2")))
			}
			_, err := s.open().History(t.Context())
			require.NoError(t, err)
			s.commit("main", "", "third", "3")
		})
	}
}

// Collections that run at once exchange the objects once.
func TestCollectTwiceAtOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "first", "1")
	s.commit("work", "main", "second", "2")
	s.deleteBranch("work")
	times := 0
	code.BeforeExchange(s.Store, func() {
		if times++; times == 1 {
			s.collect(0)
		}
	})
	s.collect(0)
	require.Equal(t, 2, times, "the outer one finds nothing the second time")
	require.Equal(t, int64(1), s.open().GCEpoch)
	require.Equal(t, 1, s.count("packs"))
	s.commit("main", "", "third", "3")
}

// A transaction that is open somewhere in the cluster, such as a backup, delays no collection.
func TestCollectBesideOpenTransaction(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	require.NoError(t, servertest.Store(t).Tx(t.Context(), func(other *db.Store) error {
		if err := other.Exec(t.Context(), `select pg_current_xact_id()`, nil); err != nil {
			return err
		}
		s.commit("main", "", "first", "1")
		s.commit("work", "main", "second", "2")
		s.deleteBranch("work")
		s.collect(0)
		require.Equal(t, int64(1), s.open().GCEpoch)
		return nil
	}))
}

// Small packs are joined until each is at least twice as large as all smaller ones.
func TestCountSmall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		objects []int
		want    int
	}{
		{nil, 0}, {[]int{5}, 0}, {[]int{1, 2, 4, 8}, 0}, {[]int{1, 1, 100}, 2}, {[]int{1, 1, 3, 100}, 3},
		{[]int{100, 100, 100}, 3}, {[]int{1, 10, 15}, 3}, {[]int{10, 30, 100, 110}, 4},
	} {
		require.Equal(t, c.want, code.CountSmall(c.objects...), "%v", c.objects)
	}
}
