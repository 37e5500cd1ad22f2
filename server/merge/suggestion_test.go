package merge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/merge"
)

// A suggestion is not applied to a branch that moved since its merge request was looked at, even if
// the push changed another file.
func TestSuggestionOfMovedBranch(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.write("main", "", map[string]string{"a.txt": "1\n"})
	s.write("topic", "main", map[string]string{"a.txt": "one\n"})
	r := s.open()
	n := s.note(r, "Better:\n```suggestion\nI\n```", "a.txt", "text", 0, 1)
	list, err := merge.Suggestions(t.Context(), s.Store, []int64{n.Suggestions[0].ID})
	require.NoError(t, err)
	require.Len(t, list, 1)
	s.write("topic", "", map[string]string{"b.txt": "2\n"})
	err = merge.ApplySuggestions(t.Context(), s.Store, merge.Apply{
		Request: r, Source: s.project, By: s.by, List: list,
	})
	require.ErrorContains(t, err, "A file has been changed.")
}
