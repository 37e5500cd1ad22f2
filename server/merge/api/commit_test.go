package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// of returns the numbers of the merge requests of a commit, newest first.
func (d desk) of(commit string) (iids []int) {
	d.t.Helper()
	var found []request
	d.api("GET", fmt.Sprintf("repository/commits/%s/merge_requests", commit), nil).Into(d.t, &found)
	for _, r := range found {
		iids = append(iids, r.IID)
	}
	return iids
}

// A commit finds the merge requests that bring it, wherever it stands, and those that made it.
func TestRequestsOfCommit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	begun := d.commit("main", "", "begun", "0")
	first := d.commit("topic", "main", "a", "1")
	middle := d.commit("topic", "", "b", "2")
	last := d.commit("topic", "", "c", "3")
	d.api("POST", "repository/branches?branch=stable&ref=main", nil)
	r := d.open("topic")
	later := d.commit("topic", "", "d", "4")
	require.Equal(t, later, d.get(r.IID).SHA)
	backport := request{}
	d.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "stable", "title": "Backport", "squash": true,
	}).Into(t, &backport)
	for _, c := range []string{first, middle, last, later} {
		require.Equal(t, []int{backport.IID, r.IID}, d.of(c))
	}
	require.Empty(t, d.of(begun))
	require.Equal(t, 200, d.accept(r.IID, nil).Status)
	require.Equal(t, 200, d.accept(backport.IID, nil).Status)
	now, squashed := d.get(r.IID), d.get(backport.IID)
	require.Equal(t, []int{r.IID}, d.of(*now.MergeCommit))
	require.Equal(t, []int{backport.IID}, d.of(*squashed.SquashCommit))
	require.Equal(t, []int{backport.IID, r.IID}, d.of(middle))

	// a rebase leaves its old commits
	d.commit("next", "main", "e", "5")
	old := d.commit("next", "", "f", "6")
	next := d.open("next")
	d.commit("main", "", "g", "7")
	require.Equal(t, 202, d.api("PUT", fmt.Sprintf("merge_requests/%d/rebase", next.IID), nil).Status)
	rebased := d.get(next.IID)
	require.Equal(t, []int{next.IID}, d.of(rebased.SHA))
	require.Empty(t, d.of(old))
	require.Equal(t, 204, d.api("DELETE", fmt.Sprintf("merge_requests/%d", next.IID), nil).Status)
	require.Empty(t, d.of(rebased.SHA))
}
