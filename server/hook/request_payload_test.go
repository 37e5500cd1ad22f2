package hook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
	"hew/server/merge"
)

// Payloads show of the branches and of an automatic merge what answers show.
func TestRequestColumns(t *testing.T) {
	t.Parallel()
	head, moved := object.ID{1}, object.ID{2}
	r := merge.Request{
		State: merge.Opened, MergeStatus: merge.CanBeMerged, Head: head, SourceHead: head, TargetHead: head,
		CheckedTarget: head,
	}
	shown := newRequestColumns(r)
	require.Equal(t, merge.CanBeMerged, shown.MergeStatus)
	require.False(t, shown.AutoMerge)
	require.Nil(t, shown.MergeUserID)

	r.TargetHead, r.AutoMergeUserID = moved, new(int64(3))
	shown = newRequestColumns(r)
	require.Equal(t, merge.Unchecked, shown.MergeStatus, "the target branch has moved")
	require.True(t, shown.AutoMerge)
	require.EqualValues(t, 3, *shown.MergeUserID)
}
