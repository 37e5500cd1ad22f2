package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
)

// Of two ends of one second, git shows the left one of a...b first.
func TestSymmetricDifference(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("main", "", "first", "1")
	left := s.commit("left", "main", "left", "l")
	right := s.commit("right", "main", "right", "r")
	var f code.LogFilter
	require.NoError(t, s.open().FromRange(t.Context(), "Commit", "left...right", &f))
	require.Equal(t, []object.ID{left.ID, right.ID}, f.From)
	require.Equal(t, []object.ID{first.ID}, f.Not)
}
