package provider

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTakeIDs: an item that is not an id is an error, because the update deletes every grant that
// the list lacks.
func TestTakeIDs(t *testing.T) {
	t.Parallel()
	ids, stated, err := takeIDs(map[string]any{"push_users": []any{7, "8"}}, "push_users")
	require.NoError(t, err)
	require.True(t, stated)
	require.Equal(t, []int64{7, 8}, ids)

	_, _, err = takeIDs(map[string]any{"push_users": []any{7, "alice"}}, "push_users")
	require.EqualError(t, err, "push_users has an item that is not an id: alice")
}

// TestEntriesKeepLargeIDs: ids beyond the exact range of a float64 are read as they are, and a
// number that is not an id is an error.
func TestEntriesKeepLargeIDs(t *testing.T) {
	t.Parallel()
	list, err := entriesOf(Record{"push_access_levels": []byte(`[{"id":9007199254740993,"user_id":7,"group_id":null}]`)},
		"push")
	require.NoError(t, err)
	require.Equal(t, []entry{{"id": 9007199254740993, "user_id": 7}}, list)

	_, err = entriesOf(Record{"push_access_levels": []byte(`[{"id":1.5}]`)}, "push")
	require.ErrorContains(t, err, "push_access_levels: id: ")
}
