package provider

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A list is changed entry by entry: what stays keeps its id, a role makes room
// for another, and what is of another sort is not touched (A17).
func TestRegrant(t *testing.T) {
	t.Parallel()
	list := []entry{
		{"id": 1, "access_level": 40}, {"id": 2, "access_level": 60}, {"id": 3, "user_id": 5, "access_level": 40},
		{"id": 4, "user_id": 6}, {"id": 5, "group_id": 7}, {"id": 6, "deploy_key_id": 8},
	}
	users, groups, keys := withKeys[0], withKeys[1], withKeys[2]
	for name, c := range map[string]struct {
		of   party
		want []int64
		sent []map[string]any
	}{
		"nothing changes": {users, []int64{6, 5}, nil},
		"one more":        {users, []int64{5, 6, 9}, []map[string]any{{"user_id": int64(9)}}},
		"one for another": {users, []int64{5, 9}, []map[string]any{{"user_id": int64(9)},
			{"id": int64(4), "_destroy": true}}},
		"none": {groups, nil, []map[string]any{{"id": int64(5), "_destroy": true}}},
		"another key": {keys, []int64{9}, []map[string]any{{"deploy_key_id": int64(9)},
			{"id": int64(6), "_destroy": true}}},
		"the other role goes": {byRole, []int64{40}, []map[string]any{{"id": int64(2), "_destroy": true}}},
		"a role in another's row": {byRole, []int64{30}, []map[string]any{{"id": int64(1), "access_level": int64(30)},
			{"id": int64(2), "_destroy": true}}},
	} {
		require.Equal(t, c.sent, grantChanges(list, c.of, c.want), name)
	}
	require.Equal(t, "40", toText(lowestRole(list)), "the lowest role counts")
	require.Equal(t, "0", toText(lowestRole(list[2:])), "no role is no access")
}
