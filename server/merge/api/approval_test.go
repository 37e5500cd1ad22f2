package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// approvals_before_merge adds to what the project requires, and never takes from it.
func TestApprovalsBeforeMerge(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.api("POST", "approval_rules", map[string]any{
		"name": "Alice", "approvals_required": 1, "user_ids": []int{int(d.alice.ID)},
	})
	type state struct {
		Overwritten bool `json:"approval_rules_overwritten"`
		Rules       []struct {
			Name     string
			Required int `json:"approvals_required"`
		}
	}
	var before *int // as answers show it
	ask := func(branch string, n int) (status int, s state) {
		d.commit(branch, "main", branch, "1")
		reply := d.api("POST", "merge_requests", map[string]any{
			"source_branch": branch, "target_branch": "main", "title": branch, "approvals_before_merge": n,
		})
		if reply.Status != 201 {
			return reply.Status, s
		}
		var r request
		reply.Into(t, &r)
		var made, shown struct {
			Before *int `json:"approvals_before_merge"`
		}
		reply.Into(t, &made)
		d.api("GET", fmt.Sprintf("merge_requests/%d", r.IID), nil).Into(t, &shown)
		require.Equal(t, made.Before, shown.Before)
		before = shown.Before
		d.api("GET", fmt.Sprintf("merge_requests/%d/approval_state", r.IID), nil).Into(t, &s)
		return reply.Status, s
	}
	status, s := ask("two", 2)
	require.Equal(t, 201, status)
	require.Equal(t, 2, *before)
	require.Len(t, s.Rules, 2)
	require.Equal(t, "All Members", s.Rules[0].Name)
	require.Equal(t, 2, s.Rules[0].Required)
	require.Equal(t, "Alice", s.Rules[1].Name)
	require.Equal(t, 1, s.Rules[1].Required)

	status, s = ask("none", 0)
	require.Equal(t, 201, status)
	require.Nil(t, before)
	require.False(t, s.Overwritten)
	status, _ = ask("many", 101)
	require.Equal(t, 400, status)

	require.Less(t, d.api("POST", "approval_rules", map[string]any{
		"name": "All", "rule_type": "any_approver", "approvals_required": 3,
	}).Status, 300)
	_, s = ask("less", 2)
	require.False(t, s.Overwritten, "the project requires more")
	_, s = ask("more", 4)
	require.Equal(t, 4, s.Rules[0].Required)
	require.Len(t, s.Rules, 2)

	d.api("POST", "approvals", map[string]any{"disable_overriding_approvers_per_merge_request": true})
	status, s = ask("fixed", 5)
	require.Equal(t, 201, status)
	require.False(t, s.Overwritten)
}

// Who has reviewed is asked again by the same command.
func TestReviewAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	bob := d.s.User(t, nameOf(t)+"-bob")
	d.api("POST", "members", map[string]any{"user_id": bob.ID, "access_level": 30})
	d.commit("topic", "main", "a", "1")
	r := d.open("topic")
	state := func() string {
		var list []struct{ State string }
		d.api("GET", fmt.Sprintf("merge_requests/%d/reviewers", r.IID), nil).Into(t, &list)
		return list[0].State
	}
	todos := func() int {
		var list []struct {
			Action string `json:"action_name"`
		}
		d.s.Do(t, bob.Token, "GET", "/todos?action=review_requested", nil).Into(t, &list)
		return len(list)
	}
	ask := "/request_review @" + bob.Username
	for range 2 {
		status, _ := d.say(d.alice, r.IID, ask)
		require.Equal(t, 202, status)
		require.Equal(t, "unreviewed", state())
		require.Equal(t, 1, todos())
	}
	status, _ := d.say(bob, r.IID, "No\n/submit_review requested_changes")
	require.Equal(t, 201, status)
	require.Equal(t, "requested_changes", state())
	require.Equal(t, "requested_changes", d.get(r.IID).Status)
	require.Zero(t, todos())
	require.Equal(t, 405, d.accept(r.IID, nil).Status)
	status, _ = d.say(d.alice, r.IID, ask)
	require.Equal(t, 202, status)
	require.Equal(t, "unreviewed", state())
	require.Equal(t, 1, todos())
	require.Equal(t, "mergeable", d.get(r.IID).Status)
	status, _ = d.say(bob, r.IID, "/submit_review approve")
	require.Equal(t, 202, status)
	require.Equal(t, "approved", state())
	status, a := d.say(d.alice, r.IID, "/submit_review requested_changes")
	require.Equal(t, 400, status, "alice is no reviewer: %v", a)
}
