package api_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// 0, nothing and null take the milestone away, and assignees and reviewers with it (spec 2 §4.2).
func TestClear(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	var m struct{ ID int }
	d.api("POST", "milestones", map[string]any{"title": "v1"}).Into(t, &m)
	d.commit("topic", "main", "a", "1")
	r := d.open("topic")
	path := fmt.Sprintf("merge_requests/%d", r.IID)
	var now struct {
		Milestone *struct{ ID int }
		Assignees []struct{ ID int }
		Reviewers []struct{ ID int }
	}
	for _, nothing := range []any{0, "", nil} {
		d.api("PUT", path, map[string]any{
			"milestone_id": m.ID, "assignee_ids": []int64{d.alice.ID}, "reviewer_ids": []int64{d.alice.ID},
		}).Into(t, &now)
		require.Equal(t, m.ID, now.Milestone.ID)
		require.Len(t, now.Assignees, 1)
		require.Len(t, now.Reviewers, 1)
		d.api("PUT", path, map[string]any{
			"milestone_id": nothing, "assignee_id": nothing, "reviewer_ids": nothing,
		}).Into(t, &now)
		require.Nil(t, now.Milestone, "%v", nothing)
		require.Empty(t, now.Assignees, "%v", nothing)
		require.Empty(t, now.Reviewers, "%v", nothing)
	}
}

// A closed merge request cannot be merged, also if nobody found out whether git could (gaps §7.1).
func TestMergeClosed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("topic", "main", "a", "1")
	r := d.open("topic")
	require.Equal(t, 200, d.update(r.IID, map[string]any{"state_event": "close"}))
	require.NoError(t, d.s.Store.Exec(t.Context(),
		`update merge_requests set merge_status = 'unchecked' where id = @id`, pgx.NamedArgs{"id": r.ID}))
	require.Equal(t, "unchecked", d.get(r.IID).MergeStatus)
	require.Equal(t, 405, d.accept(r.IID, nil).Status)
}

// What was merged, and into which branch, does not change any more.
func TestMergedStays(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("topic", "main", "a", "1")
	require.Equal(t, 201, d.api("POST", "repository/branches?branch=stable&ref=main", nil).Status)
	r := d.open("topic")
	require.Equal(t, 200, d.accept(r.IID, nil).Status)
	for _, change := range []map[string]any{
		{"target_branch": "stable"}, {"state_event": "close"}, {"state_event": "reopen"},
	} {
		require.Equal(t, 200, d.update(r.IID, change))
	}
	now := d.get(r.IID)
	require.Equal(t, "merged", now.State)
	require.Equal(t, "main", now.TargetBranch)
	var versions []struct{ ID int }
	d.api("GET", fmt.Sprintf("merge_requests/%d/versions", r.IID), nil).Into(t, &versions)
	require.Len(t, versions, 1)
}

// Drafts of reviews are those of users: nobody else has any.
func TestDraftsOfNobody(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]any{"visibility": "public"})
	d.commit("topic", "main", "a", "1")
	path := fmt.Sprintf("/projects/%d/merge_requests/%d", d.project, d.open("topic").IID)
	require.Equal(t, 200, d.s.Do(t, "", "GET", path, nil).Status)
	require.Equal(t, 401, d.s.Do(t, "", "GET", path+"/draft_notes", nil).Status)
	require.Equal(t, 401, d.s.Do(t, "", "GET", path+"/draft_notes/1", nil).Status)
}

// A draft that is published several times at once becomes one note.
func TestPublishAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("topic", "main", "a", "1")
	path := fmt.Sprintf("merge_requests/%d", d.open("topic").IID)
	var draft struct{ ID int }
	d.api("POST", path+"/draft_notes", map[string]any{"note": "Shorter?"}).Into(t, &draft)
	var wg sync.WaitGroup
	statuses := make([]int, 8)
	for n := range statuses {
		wg.Go(func() {
			statuses[n] = d.api("PUT", fmt.Sprintf("%s/draft_notes/%d/publish", path, draft.ID), nil).Status
		})
	}
	wg.Wait()
	slices.Sort(statuses)
	require.Equal(t, []int{204, 404, 404, 404, 404, 404, 404, 404}, statuses)
	var notes []struct{ Body string }
	d.api("GET", path+"/notes", nil).Into(t, &notes)
	require.Len(t, notes, 1)
}

// The view of approvals says the same of the branches as the merge request does.
func TestStatusOfApprovals(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("topic", "main", "a", "1")
	r := d.open("topic")
	require.Equal(t, "can_be_merged", d.get(r.IID).MergeStatus)
	d.commit("main", "", "a", "2")
	path := fmt.Sprintf("merge_requests/%d", r.IID)
	var now, approvals request
	d.api("GET", path+"/approvals", nil).Into(t, &approvals)
	require.Equal(t, "unchecked", approvals.MergeStatus)
	now = d.get(r.IID)
	d.api("GET", path+"/approvals", nil).Into(t, &approvals)
	require.Equal(t, "cannot_be_merged", approvals.MergeStatus)
	require.Equal(t, now.MergeStatus, approvals.MergeStatus)
}
