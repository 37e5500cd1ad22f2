package code_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/diff"
	"hew/server/git/object"
)

// What all requests of the process share has nothing of a transaction that was rolled back. A push
// of the same commit later would find it known, and neither check nor index it.
func TestRolledBack(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "first", "1")
	refused := errors.New("refused")
	var lost code.Commit
	content := "2"
	err := s.Tx(t.Context(), func(tx *db.Store) (err error) {
		lost, err = code.CreateCommit(t.Context(), tx, code.NewCommit{
			Project: s.project, By: s.by, Branch: "main", Message: "Lost",
			Actions: []code.Action{{Do: "create", Path: "second", Content: &content}},
		})
		require.NoError(t, err)
		g, err := code.Open(t.Context(), tx, s.project)
		require.NoError(t, err)
		_, err = g.History(t.Context())
		require.NoError(t, err)
		f, err := g.FindFile(t.Context(), "main", "second")
		require.NoError(t, err, "the transaction sees what it has written")
		require.Equal(t, content, string(f.Data))
		_, err = g.CommitDiff(t.Context(), lost, diff.Limits{})
		require.NoError(t, err)
		return refused
	})
	require.ErrorIs(t, err, refused)

	g := s.open()
	h, err := g.History(t.Context())
	require.NoError(t, err)
	require.False(t, h.Has(lost.ID))
	for _, id := range []object.ID{lost.ID, lost.Tree, object.Hash(object.KindBlob, []byte(content))} {
		_, err = g.Object(t.Context(), id)
		require.ErrorIs(t, err, object.ErrNotFound)
	}
	s.commit("main", "", "third", "3")
}
